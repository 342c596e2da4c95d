import { Email } from '@postern/protocol'

/** Checks an address by spec §5. */
export function isEmail(text: string): boolean {
  return Email.safeParse(text).success
}
