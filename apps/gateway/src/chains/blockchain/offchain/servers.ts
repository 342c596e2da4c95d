/**
 * Queries the servers of a lookup, by the rules of `remote/`. Source: https://eips.ethereum.org/EIPS/eip-3668
 *
 * 1. `{sender}` and `{data}` are replaced in the URL. Without `{data}`, both are posted as JSON.
 * 2. The first response counts. A 4xx ends the query, any other error tries the next URL.
 * 3. A response is JSON with hexadecimal `data`. Only the contract can verify it.
 * 4. The caller limits the requests (`spend`).
 */
import type { Hex } from 'viem'
import * as z from 'zod/mini'
import { parseJson } from '../../../platform/parse-json'
import { type PublicFetch, RemoteError, type Wanted } from '../remote/public-fetch'
import type { GatewayQuery } from './lookup'

export type ServerAnswer =
  | { readonly kind: 'data'; readonly data: Hex }
  | { readonly kind: 'refused'; readonly status: number }
  /** The reason is from a fixed set, without URL. */
  | { readonly kind: 'failed'; readonly reason: string }

const wanted: Wanted = {
  type: /^(?:application\/(?:[\w.+-]*json|octet-stream)|text\/(?:plain|json))$/,
  maxBytes: 262_144,
}
/** In characters, after replacement. */
const maxUrlLength = 8_192
const places = /\{(?:sender|data)\}/g
/** Refusals of the query itself. Other 4xx, such as a rate limit, concern only this client. */
const noes: readonly number[] = [400, 404, 410, 413, 414, 422]
const Answer = z.object({ data: z.templateLiteral(['0x', z.string()]).check(z.regex(/^0x(?:[0-9a-f]{2})*$/i)) })

export async function askServers(
  { sender, urls, data }: GatewayQuery,
  fetchPublic: PublicFetch,
  spend: () => boolean,
  signal: AbortSignal,
): Promise<ServerAnswer> {
  let reason = 'no URL'
  for (const url of urls) {
    const isGet = url.includes('{data}')
    const put = (place: string) => (place === '{data}' ? data : sender.toLowerCase())
    // A short URL can expand to megabytes.
    const length = (url.match(places) ?? []).reduce((sum, place) => sum + put(place).length - place.length, url.length)
    if (length > maxUrlLength) continue
    if (!spend()) return { kind: 'failed', reason: 'too many' }
    try {
      const address = url.replace(places, put)
      const sent = isGet ? undefined : JSON.stringify({ data, sender: sender.toLowerCase() })
      const bytes = await fetchPublic(address, wanted, sent, signal)
      const answer = Answer.safeParse(parseJson(Buffer.from(bytes).toString('utf8')))
      if (answer.success) return { kind: 'data', data: answer.data.data }
      reason = 'another answer'
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error
      const { status, message } = error
      reason = message
      if (status === null || status < 400 || status > 499) continue
      return noes.includes(status) ? { kind: 'refused', status } : { kind: 'failed', reason }
    }
  }
  return { kind: 'failed', reason }
}
