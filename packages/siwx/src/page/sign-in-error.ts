/** Why a sign-in did not come about. The modal shows `message`. */
export class SignInError extends Error {
  override readonly name = 'SignInError'
  constructor(
    /** As `verifySignIn` and the server's answers name it: `DOMAIN_MISMATCH`, `SIGNATURE_INVALID`. */
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
