import { parseUrl } from '@postern/base/parse-url'
import {
  type CaipNetworkId,
  isCaipNetworkId,
  type SignInMessage,
  SignInSession,
  type SignInText,
  texts,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import { askPage } from '../../sign-in-with-wallet/ask-page'
import type { Client, Session } from '../walletconnect/client/client'
import { dialects } from '../walletconnect/dialects/dialects'
import type { WalletConnectOptions } from '../walletconnect/options'
import { grantsOf } from '../walletconnect/session/grant'

export type AuthenticateRequest = Parameters<Client['authenticate']>[0]

type Signed = Pick<Session, 'namespaces' | 'authentication'>

/** Connects and signs in with one approval (WalletConnect; CAIP-74, EIP-5573). */
export type OneClick = {
  /** Null for a plain session. Never rejects. */
  request(): Promise<AuthenticateRequest | null>
  /** Rejects with the page's failure. */
  save(client: Pick<Client, 'formatAuthMessage'>, session: Signed, signal: AbortSignal): Promise<void>
  /** Later attempts connect first and sign in afterwards. */
  giveUp(): void
}

/** Plugins need an address before the wallet names its account. */
export const placeholderAccount = '0x0000000000000000000000000000000000000000'

const pageMessageTimeoutMs = 5_000
const toastMs = 4_000

const Field = z.string().check(z.maxLength(4096))
const Cacao = z.object({
  h: z.object({ t: z.enum(['caip122', 'eip4361']) }),
  p: z.object({
    iss: z.string().check(z.regex(/^did:pkh:eip155:\d{1,16}:0x[0-9a-fA-F]{40}$/)),
    domain: Field,
    aud: z.optional(Field),
    uri: z.optional(Field),
    version: z.optional(Field),
    nonce: Field,
    iat: z.optional(Field),
    nbf: z.optional(Field),
    exp: z.optional(Field),
    requestId: z.optional(Field),
    statement: z.optional(Field),
    resources: z.optional(z.array(Field).check(z.maxLength(128))),
  }),
  s: z.object({ t: z.enum(['eip191', 'eip1271']), s: Field }),
})

/**
 * Creates the one-step sign-in, or null if it does not apply.
 *
 * 1. It applies only if the page has a plugin and every configured network is EVM (spec §4). The page creates the
 *    message for the first chain.
 * 2. Sign-in follows connecting if the page returns no message in time, cannot be asked this way, or the one step was
 *    not completed before.
 * 3. Signed messages become sessions only if each is for a granted account and chain and answers a message requested
 *    here. The library and the page verify signatures.
 * 4. The data must match the signed text. An address must be checksummed (EIP-4361).
 * 5. 'Authenticating...' is shown while the page saves. If the user cancels meanwhile, the page signs them out again.
 * 6. One success is reported, for the first signed network; the page's rejection is a failure (spec §4), a cancel
 *    neither.
 */
export function createOneClick(options: WalletConnectOptions): OneClick | null {
  const { page, networks, clock, preferredNetwork, normalise } = options
  const chains = networks.list.map(({ caipNetworkId }) => caipNetworkId)
  if (page?.init.signIn !== 'siwx' || chains.length === 0 || !chains.every((id) => id.startsWith('eip155:')))
    return null
  const { onSignIn } = page
  const ask = askPage(page.link)
  const { notify } = page.modal
  /** By nonce: the user may still scan an earlier code. */
  const requests = new Map<string, SignInMessage>()
  let isOff = false

  function textFor(chainId: CaipNetworkId): Promise<SignInText> {
    return ask('siwxCreateMessage', { chainId, accountAddress: placeholderAccount }, { timeout: pageMessageTimeoutMs })
  }

  /** Rules 3 and 4: empty if either fails. */
  async function sessionsOf(client: Pick<Client, 'formatAuthMessage'>, session: Signed): Promise<SignInSession[]> {
    const grant = grantsOf(session.namespaces).get('eip155')
    const sessions = (session.authentication ?? []).map(async (cacao) => {
      const { p, s } = Cacao.parse(cacao)
      const [, , namespace, reference, accountAddress = ''] = p.iss.split(':')
      const chainId = `${namespace}:${reference}`
      const message = client.formatAuthMessage({ request: cacao.p, iss: p.iss })
      const data = dataOf(message, p, { chainId, accountAddress })
      const [checksummed] = await normalise('eip155', [accountAddress])
      const granted = grant?.networks.find((network) => network.networkId === chainId)?.addresses ?? []
      if (checksummed !== accountAddress || !granted.some((one) => isSame(one, accountAddress)))
        throw new Failure('INTERNAL')
      const request = requests.get(data.nonce)
      if (request === undefined || request.domain !== data.domain || request.uri !== data.uri)
        throw new Failure('INTERNAL')
      return SignInSession.parse({ data, message, signature: s.s, cacao })
    })
    return Promise.all(sessions).catch(() => [])
  }

  return {
    async request() {
      if (isOff) return null
      const first = preferredNetwork('eip155')
      try {
        const { data } = await textFor(first)
        // The user has not seen the domain yet: only this page's is allowed. The library has no request id.
        if (data.requestId !== undefined || !isOf(options.metadata.url, data)) return null
        requests.set(data.nonce, data)
        return requestOf(data, [first, ...chains.filter((id) => id !== first)])
      } catch {
        return null
      }
    },

    async save(client, session, signal) {
      const sessions = await sessionsOf(client, session)
      const [first] = sessions
      if (first === undefined) return
      const about = { networkId: first.data.chainId, address: first.data.accountAddress }
      let stop = () => {}
      const showToast = () => {
        notify(texts.authenticating, 'neutral', 'text.authenticating')
        stop = clock.after(toastMs, showToast)
      }
      showToast()
      try {
        await ask('siwxSetSessions', { sessions })
        // If the page cannot sign out again, its own state decides.
        if (signal.aborted) ask('siwxSetSessions', { sessions: [] }).catch(() => {})
        else onSignIn({ ...about, kind: 'signed' })
      } catch (thrown) {
        if (!signal.aborted) onSignIn({ ...about, kind: 'failed', code: 'SIWX_CALLBACK_FAILED' })
        throw thrown
      } finally {
        stop()
      }
    },

    giveUp() {
      isOff = true
    },
  }
}

function requestOf(message: SignInMessage, chains: string[]): AuthenticateRequest {
  const { domain, uri, nonce, statement, expirationTime, notBefore, resources } = message
  return {
    chains,
    methods: [...dialects.eip155.methods],
    ...{ domain, uri, nonce },
    ...(statement !== undefined && { statement }),
    ...(expirationTime !== undefined && { exp: expirationTime }),
    ...(notBefore !== undefined && { nbf: notBefore }),
    ...(resources !== undefined && { resources }),
  }
}

/** The statement is the page's plus the permissions in words. */
function dataOf(
  text: string,
  { domain, aud, uri = '', version, nonce, iat, exp, nbf, requestId, resources }: z.infer<typeof Cacao>['p'],
  { chainId, accountAddress }: { readonly chainId: string; readonly accountAddress: string },
): SignInMessage {
  if (!isCaipNetworkId(chainId)) throw new Failure('INTERNAL')
  // Lines: opening, address, blank, statement or nothing.
  const statement = text.split('\n')[3]
  return {
    ...{ accountAddress, chainId, domain, uri: aud ?? uri, version: version ?? '', nonce },
    ...(statement && { statement }),
    ...(iat !== undefined && { issuedAt: iat }),
    ...(exp !== undefined && { expirationTime: exp }),
    ...(nbf !== undefined && { notBefore: nbf }),
    ...(requestId !== undefined && { requestId }),
    ...(resources !== undefined && { resources }),
  }
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function isOf(page: string, { domain, uri }: Pick<SignInMessage, 'domain' | 'uri'>): boolean {
  const { host, origin } = new URL(page)
  return domain === host && parseUrl(uri)?.origin === origin
}
