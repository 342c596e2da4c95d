/** The modal shows `message`. */
export class SignInError extends Error {
  override readonly name = 'SignInError'
  constructor(
    /** A reason of `verifySignIn` or the server. */
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
