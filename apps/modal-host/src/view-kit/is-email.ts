import { Email } from '@postern/protocol'

/** Spec §5. */
export function isEmail(text: string): boolean {
  return Email.safeParse(text).success
}
