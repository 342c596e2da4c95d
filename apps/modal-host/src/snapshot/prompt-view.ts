import type { HostSnapshot, SignInPrompt } from './contract'

/** Whether a view is one that asks to sign in with the wallet. */
export function isPromptView(view: string): view is SignInPrompt['view'] {
  return view === 'SIWXSignMessage' || view === 'ConnectingSiwe'
}

/** The view that nobody gets past: signing in is required, and there is no session (spec §4). Null while there is no such thing. */
export function dueView({ signInPrompt }: Pick<HostSnapshot, 'signInPrompt'>): SignInPrompt['view'] | null {
  return signInPrompt?.isRequired === true ? signInPrompt.view : null
}
