import type { HostSnapshot } from './host-snapshot'
import type { SignInPrompt } from './sign-in-prompt'

export function isPromptView(view: string): view is SignInPrompt['view'] {
  return view === 'SIWXSignMessage' || view === 'ConnectingSiwe'
}

/** The view of a required sign-in without a session (spec §4). */
export function dueView({ signInPrompt }: Pick<HostSnapshot, 'signInPrompt'>): SignInPrompt['view'] | null {
  return signInPrompt?.isRequired === true ? signInPrompt.view : null
}
