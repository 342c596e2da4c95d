/**
 * Sign-in at the OpenID provider, by a round trip of this tab.
 *
 * 1. The ticket is in this tab's sessionStorage, and is removed before it is used.
 * 2. The provider's answer leaves the address bar and the tab's history at once.
 */
import * as z from 'zod/mini'
import { createApi } from './api'

const storageKey = 'postern.operator-ticket'
const callbackPath = '/sign-in/callback'

const Pending = z.object({
  ticket: z.string(),
  /** Page to return to. */
  path: z.string().check(z.regex(/^\/(?!\/)/)),
})
export const Methods = z.object({ oidc: z.nullable(z.string()) })
const Started = z.object({ url: z.url({ protocol: /^https?$/ }), ticket: z.string() })
const Finished = z.object({ token: z.string() })

/** `ticket`: null if this tab did not begin the sign-in. */
export type ProviderAnswer = { readonly ticket: string | null; readonly query: string }

export const withoutToken = createApi(null, () => {})

/** Leaves the page for the provider. @throws {ApiError} */
export async function startAtProvider(): Promise<void> {
  const { url, ticket } = await withoutToken.send('POST', '/sign-in/start', Started)
  const pending: z.infer<typeof Pending> = { ticket, path: location.pathname }
  sessionStorage.setItem(storageKey, JSON.stringify(pending))
  location.assign(url)
}

/** The answer in the page's address, which is then the page where the operator began. Null without an answer. */
export function takeProviderAnswer(): ProviderAnswer | null {
  if (location.pathname !== callbackPath) return null
  const query = location.search
  const pending = Pending.safeParse(JSON.parse(sessionStorage.getItem(storageKey) ?? 'null')).data
  sessionStorage.removeItem(storageKey)
  history.replaceState(null, '', pending?.path ?? '/')
  return { ticket: pending?.ticket ?? null, query }
}

/** Exchanges the answer for a token. @throws {ApiError} */
export async function finishAtProvider({ ticket, query }: ProviderAnswer): Promise<string> {
  if (ticket === null) throw new Error('This tab did not begin that sign-in. Start again')
  return (await withoutToken.send('POST', '/sign-in/finish', Finished, { ticket, query })).token
}
