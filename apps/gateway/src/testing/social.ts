/** The devnet's social providers and Farcaster, and a browser between them and the gateway. */

import { freePorts, gatewayEnvironment, startDevnet } from '@postern/devnet'
import type { SocialProvider } from '@postern/protocol'
import type { TestApp } from './app'

/** Registered at the stand-in providers. */
export const site = 'http://wallet.localhost'

export type Providers = {
  readonly env: Record<string, string>
  readonly rpcUrl: string
  fault(provider: SocialProvider, kind: string, ms?: number): Promise<void>
  farcasterFault(kind: string): Promise<void>
  /** As the phone that opens the channel's URL. */
  approve(url: string, username: string): Promise<void>
  stop(): Promise<void>
}

export async function startProviders(): Promise<Providers> {
  const ports = await freePorts('evm', 'evmTwo', 'identityProvider', 'farcaster')
  const devnet = await startDevnet({ ports })
  const post = async (port: number, path: string, body: string | URLSearchParams) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body })
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  }
  return {
    env: gatewayEnvironment(ports),
    rpcUrl: `http://127.0.0.1:${ports.evm}`,
    fault: (provider, kind, ms) =>
      post(
        ports.identityProvider,
        '/devnet/fault',
        JSON.stringify({ provider, kind, ...(ms === undefined ? {} : { ms }) }),
      ),
    farcasterFault: (kind) => post(ports.farcaster, '/devnet/fault', JSON.stringify({ kind })),
    approve(url, username) {
      const channelToken = new URL(url).searchParams.get('channelToken') ?? ''
      return post(ports.farcaster, '/~/siwf', new URLSearchParams({ channelToken, username }))
    },
    stop: () => devnet.stop(),
  }
}

export type Popup = {
  /** With this browser's cookies. */
  go(url: string, init?: { readonly method: string; readonly body: string }): Promise<Response>
  /** Returns the callback to our site. */
  answer(authorizeUrl: string, said: Said): Promise<string | { readonly url: string; readonly body: string }>
  signIn(uri: string, said: Said): Promise<Response>
}
export type Said = {
  readonly answer: 'allow' | 'deny'
  readonly name?: string
  readonly email?: string
  readonly verified?: 'yes' | 'no'
}

/** With its own cookie jar. */
export function openPopup(app: TestApp): Popup {
  const jar = new Map<string, string>()

  const go: Popup['go'] = async (url, init) => {
    // A cross-site POST sends no `SameSite=Lax` cookie.
    const cookie = init === undefined ? [...jar].map(([name, value]) => `${name}=${value}`).join('; ') : ''
    const headers: Record<string, string> = {
      'Sec-Fetch-Dest': 'document',
      'Sec-Fetch-Mode': 'navigate',
      ...(cookie === '' ? {} : { Cookie: cookie }),
      ...(init === undefined
        ? {}
        : { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'http://127.0.0.1' }),
    }
    const response = await app.request(url, { ...init, headers, redirect: 'manual' })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (/max-age=0/i.test(set)) jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }

  const answer: Popup['answer'] = async (authorizeUrl, said) => {
    const url = new URL(authorizeUrl)
    const body = new URLSearchParams(url.searchParams)
    for (const [name, value] of Object.entries(said)) body.set(name, value)
    const response = await fetch(`${url.origin}${url.pathname}`, { method: 'POST', body, redirect: 'manual' })
    const location = response.headers.get('Location')
    if (location !== null) return location
    const html = await response.text()
    const action = /action="([^"]+)"/.exec(html)?.[1]
    if (action === undefined) throw new Error(`The provider answered ${response.status} ${html}`)
    const fields = [...html.matchAll(/<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"/g)]
    return {
      url: action,
      body: new URLSearchParams(fields.map(([, name = '', value = '']) => [name, value])).toString(),
    }
  }

  return {
    go,
    answer,
    async signIn(uri, said) {
      const started = await go(uri)
      const authorizeUrl = started.headers.get('Location')
      if (authorizeUrl === null) return started
      const back = await answer(authorizeUrl, said)
      if (typeof back === 'string') return go(back)
      const posted = await go(back.url, { method: 'POST', body: back.body })
      return go(new URL(posted.headers.get('Location') ?? '', site).href)
    },
  }
}
