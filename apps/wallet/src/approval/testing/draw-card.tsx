/** The text of a request's card, as a person reads it: described by the product, drawn by the product. */
import type { ApprovalRequest } from '@postern/protocol'
import { loadEnglish } from '@postern/ui/locales/text'
import { renderToStaticMarkup } from 'react-dom/server'
import { describeApproval } from '../../intent/describe'
import type { DescribeContext, Intent } from '../../intent/intent'
import { TestCard } from './test-card'

export const own = '0x1111111111111111111111111111111111111111'
export const evil = '0x2222222222222222222222222222222222222222'
export const token = '0x3333333333333333333333333333333333333333'
export const friend = '0x4444444444444444444444444444444444444444'

/** By method. A method without an answer fails. */
export type Answers = Readonly<Record<string, (params: readonly unknown[]) => unknown>>

export function contextOf(answers: Answers = {}, changes: Partial<DescribeContext> = {}): DescribeContext {
  const rpc = {
    request: async ({ method, params }: { readonly method: string; readonly params?: unknown }) => {
      const answer = answers[method]
      if (answer === undefined) throw new Error(`${method} is not answered`)
      return answer(Array.isArray(params) ? params : [])
    },
  }
  const esplora = { get: () => Promise.reject(new Error()), post: () => Promise.reject(new Error()) }
  return {
    clientOf: (networkId) => ({ networkId, rpc, esplora }),
    nativeCurrency: { symbol: 'ETH', decimals: 18 },
    own: [own],
    known: { recipients: [], contracts: [] },
    signal: new AbortController().signal,
    ...changes,
  }
}

export async function intentOf(request: ApprovalRequest, context = contextOf()): Promise<Intent> {
  let last: Intent | undefined
  await describeApproval(request, context, (intent) => {
    last = intent
  })
  if (last === undefined) throw new Error('There is no intent')
  return last
}

/** Without the raw data, which has everything and which no one reads. Parts are separated by ` | `. */
export function textOf(request: ApprovalRequest, intent: Intent, network = 'Ethereum'): string {
  const html = renderToStaticMarkup(<TestCard request={request} intent={{ ...intent, raw: [] }} network={network} />)
  const inline = html.replace(/<\/?(?:b|bdi|span)(?: [^>]*)?>/g, '')
  return (
    inline
      .replace(/<[^>]*>/g, '\n')
      .replaceAll('&#x27;', '’')
      .replaceAll('&amp;', '&')
      // Once for the screen reader, once for the eye.
      .replace(/Address (\S+)\. Copy address\S+/g, '$1')
      .replaceAll('\u00A0', ' ')
      .replaceAll('\u202F', ' ')
      .split('\n')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .join(' | ')
  )
}

export { loadEnglish }
