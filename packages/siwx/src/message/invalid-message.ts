import type { SignInMessage } from '../types'

export type MessagePart = keyof SignInMessage | 'text'

export class InvalidMessageError extends Error {
  override readonly name = 'InvalidMessageError'
  readonly part: MessagePart
  constructor(part: MessagePart, message: string) {
    super(message)
    this.part = part
  }
}
