import type { HostSnapshot } from './host-snapshot'
import type { SignInPrompt } from './sign-in-prompt'

/** The view of a required sign-in without a session (spec §4). */
export function dueView({ signInPrompt }: Pick<HostSnapshot, 'signInPrompt'>): SignInPrompt['view'] | null {
  return signInPrompt?.isRequired === true ? signInPrompt.view : null
}
