/** Asks the owner about dapps that want to connect, or to connect and sign in. */
import type { WalletKitTypes } from '@reown/walletkit'
import { grantedNamespaces, namespaceOf, sessionProperties } from './grants'
import type { Kit } from './kit'
import { mobileNamespaces } from './namespaces'
import type { Questions } from './questions'
import { refusals } from './refusals'
import { signInTask } from './sign-in'
import type { MobileState } from './state'

export type ConnectQuestions = {
  propose(proposal: Pick<WalletKitTypes.SessionProposal, 'id' | 'params'>): void
  /** Listens for sign-ins if the wallet supports them. Otherwise the dapp sends a plain proposal. */
  followSignIn(): void
}

export function createConnectQuestions({
  kit,
  ask,
  state,
  onFailure,
}: {
  readonly kit: Kit
  readonly ask: Questions['ask']
  readonly state: () => MobileState
  readonly onFailure: (cause: unknown) => void
}): ConnectQuestions {
  const nameOf = (chain: string) => state().networks.find(({ id }) => id === chain)?.name ?? chain

  function propose({ id, params }: Pick<WalletKitTypes.SessionProposal, 'id' | 'params'>) {
    const { metadata } = params.proposer
    const wanted = [...Object.entries(params.requiredNamespaces), ...Object.entries(params.optionalNamespaces)]
    ask({
      id,
      kind: 'connect',
      dapp: metadata,
      title: 'Connect to this site',
      rows: wanted.map(([key, { chains = [key] }]) => ({
        label: mobileNamespaces[namespaceOf(key)].name,
        value: chains.map((chain) => nameOf(chain)).join(', '),
      })),
      async yes() {
        const namespaces = grantedNamespaces(params, state().granted, state().account)
        if (namespaces === null) return kit.rejectSession({ id, reason: refusals.unsupportedChains })
        await kit.approveSession({
          id,
          namespaces: toRecord(namespaces),
          sessionProperties: sessionProperties(namespaces, state().account),
        })
      },
      no: () => kit.rejectSession({ id, reason: refusals.rejected }),
    })
  }

  async function signIn({ id, params }: WalletKitTypes.SessionAuthenticate) {
    const { metadata } = params.requester
    const task = signInTask(kit, params.authPayload, state().granted, state().account)
    if (task === null) return kit.rejectSessionAuthenticate({ id, reason: refusals.unsupportedChains })
    const names = task.chains.map((chain) => nameOf(chain))
    ask({
      id,
      kind: 'connect',
      dapp: metadata,
      title: 'Connect and sign in',
      rows: [...task.rows, { label: mobileNamespaces.eip155.name, value: names.join(', ') }],
      raw: task.raw,
      async yes() {
        await kit.approveSessionAuthenticate({ id, auths: await task.sign() })
      },
      no: () => kit.rejectSessionAuthenticate({ id, reason: refusals.rejected }),
    })
  }
  const onSignIn = (event: WalletKitTypes.SessionAuthenticate) => void signIn(event).catch(onFailure)
  function followSignIn(): void {
    kit.removeListener('session_authenticate', onSignIn)
    if (state().signsIn) kit.on('session_authenticate', onSignIn)
  }

  return { propose, followSignIn }
}

function toRecord<T>(namespaces: Partial<Record<string, T>>): Record<string, T> {
  const entries = Object.entries(namespaces).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  )
  return Object.fromEntries(entries)
}
