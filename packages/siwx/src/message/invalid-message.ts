import type { SignInMessage } from '../types'

/** Where it is wrong: a field of the message, or the text as a whole. */
export type MessagePart = keyof SignInMessage | 'text'

/**
 * A sign-in message that cannot be written or read.
 *
 * @example
 * try {
 *   parseMessage(text)
 * } catch (error) {
 *   if (error instanceof InvalidMessageError) console.log(error.part, error.message)
 * }
 */
export class InvalidMessageError extends Error {
  override readonly name = 'InvalidMessageError'
  readonly part: MessagePart
  constructor(part: MessagePart, message: string) {
    super(message)
    this.part = part
  }
}
