/**
 * Wallet sign-in by URL: `?siwx=local` stores sessions in this browser, `server` in the demo's backend, `siwe` the same
 * through the older configuration, `gateway` in Postern's gateway. `required=false` makes it optional; `expires=30`
 * sets the session lifetime in seconds.
 */
import type { PosternOptions } from '@postern/client'
import {
  createSiwx,
  formatMessage,
  localSessions,
  parseMessage,
  type SignInSession,
  serverSessions,
} from '@postern/siwx'
import type { SignatureToVerify } from '@postern/siwx/verifiers'
import { shortAddress } from './account'
import { modalHost, projectId } from './config'
import { namespaceParts, namespaces } from './namespaces'
import type { Action } from './outcome'

const places = ['local', 'server', 'gateway', 'siwe'] as const
type SignInPlace = (typeof places)[number]
type Sessions = ReturnType<typeof serverSessions | typeof localSessions>

export type SignIn = {
  readonly place: SignInPlace
  readonly options: Pick<PosternOptions, 'siwx' | 'siweConfig'>
  subscribe(listener: () => void): () => void
  getSnapshot(): readonly SignInSession[]
  readonly signOut: Action
  readonly whoAmI: Action | null
}

const statement = 'Sign in to the Postern demo.'

export function setUpSignIn(page: Window): SignIn | null {
  const query = new URLSearchParams(page.location.search)
  const place = places.find((one) => one === query.get('siwx'))
  if (place === undefined) return null
  const sessions = sessionsAt(place)
  const seconds = Number(query.get('expires') ?? 0)
  const required = query.get('required') !== 'false'
  const plugin = createSiwx({
    sessions,
    statement,
    required,
    ...(seconds > 0 && { expiresIn: seconds * 1000 }),
    ...(place === 'local' && { verifiers: pageVerifiers }),
  })
  const options = place === 'siwe' ? { siweConfig: olderConfiguration(page, sessions, required) } : { siwx: plugin }
  return {
    place,
    options,
    subscribe: plugin.subscribe,
    getSnapshot: plugin.getSnapshot,
    signOut: async (report) => {
      await plugin.setSessions([])
      report({ kind: 'done', text: 'Signed out.', lines: [] })
    },
    whoAmI: place === 'local' ? null : whoAmI(sessions),
  }
}

/** The gateway is cross-site, where browsers block cookies: the page holds its token. */
function sessionsAt(place: SignInPlace): Sessions {
  if (place === 'local') return localSessions()
  if (place !== 'gateway') return serverSessions({ url: '/siwx' })
  return serverSessions({ url: `${modalHost}/v1/siwx?projectId=${projectId}`, token: 'local' })
}

/** For a page without a server. */
const pageVerifiers = namespaces.flatMap((namespace) => {
  const { verifier } = namespaceParts[namespace]
  return verifier === undefined
    ? []
    : [{ namespace, verify: async (question: SignatureToVerify) => (await verifier()).verify(question) }]
})

function olderConfiguration(
  { location }: Window,
  sessions: Sessions,
  required: boolean,
): NonNullable<PosternOptions['siweConfig']> {
  return {
    required,
    getNonce: async () => (await sessions.nonce?.()) ?? '',
    getMessageParams: async () => ({ domain: location.host, uri: location.origin, statement }),
    createMessage: ({ address, chainId, nonce, iat, domain, uri, statement }) =>
      formatMessage({
        ...{ domain, uri, statement, nonce, version: '1', issuedAt: iat },
        chainId: `eip155:${chainId}`,
        accountAddress: address.split(':')[2] ?? address,
      }),
    async verifyMessage({ message, signature }) {
      await sessions.add({ data: parseMessage(message), message, signature })
      return true
    },
    async getSession() {
      const evm = (await sessions.all()).find(({ data }) => data.chainId.startsWith('eip155:'))
      if (evm === undefined) return null
      return { address: evm.data.accountAddress, chainId: Number(evm.data.chainId.split(':')[1]) }
    },
    async signOut() {
      await sessions.set([])
      return true
    },
  }
}

/** Behind the HttpOnly cookie, or the gateway's token. */
const whoAmI =
  (sessions: Sessions): Action =>
  async (report) => {
    const lines = (await sessions.all()).map(({ data }) => ({ label: data.chainId, value: data.accountAddress }))
    const isKnown = lines.length > 0
    report({
      kind: isKnown ? 'done' : 'note',
      text: isKnown ? 'You are signed in to the server.' : 'You are not signed in to the server.',
      lines,
    })
  }

export function sessionWords({ data }: SignInSession): {
  readonly key: string
  readonly account: string
  readonly short: string
  readonly chain: string
  readonly until: string
} {
  const { accountAddress: account, chainId: chain, expirationTime, nonce } = data
  const until =
    expirationTime === undefined ? 'without expiry' : `until ${new Date(expirationTime).toLocaleString('en')}`
  return { key: `${nonce} ${chain}`, account, short: shortAddress(account), chain, until }
}

export const placeWords: Readonly<Record<SignInPlace, string>> = {
  local: 'Sessions are stored in this browser.',
  server: 'Sessions are stored on the demo’s own server.',
  gateway: 'Sessions are stored on Postern’s gateway, for a page without a server.',
  siwe: 'Sessions are stored on the demo’s own server, with the older configuration.',
}

export const signInChoices = [
  { query: '', words: 'Off' },
  { query: '?siwx=local', words: 'In this browser' },
  { query: '?siwx=server', words: 'With a server' },
  { query: '?siwx=server&required=false', words: 'With a server, optional' },
  { query: '?siwx=gateway', words: 'With the gateway' },
  { query: '?siwx=siwe', words: 'With the older configuration' },
] as const
