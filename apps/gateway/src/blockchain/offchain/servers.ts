/**
 * Asks the servers that a look-up names, by the rules of `remote/`.
 *
 * 1. `{sender}` and `{data}` are put into the address; one that holds `{data}` is asked by GET, any other gets both as JSON by POST.
 * 2. The first answer counts. One that says no (4xx) ends it, and is none where it says "not now"; whatever else goes wrong, the next address is asked.
 * 3. An answer is JSON with `data` in hexadecimal, of at most 256 kB. Whether it is true is for the contract to say.
 * 4. What is asked at all is counted by whoever asks (`spend`), and nothing is asked beyond it.
 *
 * Source: https://eips.ethereum.org/EIPS/eip-3668
 */
import type { Hex } from 'viem'
import * as z from 'zod/mini'
import { parseJson } from '../../parse-json'
import { type PublicFetch, RemoteError, type Wanted } from '../remote/public-fetch'
import type { GatewayQuery } from './lookup'

export type ServerAnswer =
  | { readonly kind: 'data'; readonly data: Hex }
  /** The server said no. */
  | { readonly kind: 'refused'; readonly status: number }
  /** Nobody answered; one of a fixed set of reasons, with no address in it. */
  | { readonly kind: 'failed'; readonly reason: string }

const wanted: Wanted = {
  type: /^(?:application\/(?:[\w.+-]*json|octet-stream)|text\/(?:plain|json))$/,
  mostBytes: 262_144,
}
/** Characters, with what is asked in its place. */
const longestUrl = 8_192
const places = /\{(?:sender|data)\}/g
/**
 * Of these it is the question that is at fault: bad request, not found, gone, too large, address too long, unprocessable. Any other 4xx says only that we are not
 * answered: a key that ran out, too much asked, a host that is not let in. No other server is asked then either (EIP-3668).
 */
const noes: readonly number[] = [400, 404, 410, 413, 414, 422]
const Answer = z.object({ data: z.templateLiteral(['0x', z.string()]).check(z.regex(/^0x(?:[0-9a-f]{2})*$/i)) })

/** @param spend whether one more may be asked. @param signal calls off what is under way. */
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
    // Before anything is put in: a short address can have room for megabytes.
    const length = (url.match(places) ?? []).reduce((sum, place) => sum + put(place).length - place.length, url.length)
    if (length > longestUrl) continue
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
