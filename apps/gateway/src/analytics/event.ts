/**
 * What of an event is kept.
 *
 * 1. Of the page its origin, and no path and no query: they may say who looks at it.
 * 2. Flat properties alone: short texts, numbers and truth values, at most twenty. What else there is, is left out.
 * 3. No address unless the project lets addresses in, neither where it belongs nor within a property or its name; an email address never.
 */
import type { AnalyticsEvent } from '@postern/protocol'
import { originOf } from '../pages/decide'
import type { Project } from '../projects/project'

export type KeptEvent = {
  readonly projectId: string
  readonly eventId: string
  readonly type: string
  readonly event: string
  readonly origin: string
  readonly properties: Readonly<Record<string, string | number | boolean>>
  readonly address: string | null
  /** Epoch milliseconds, by our own clock. */
  readonly receivedAt: number
}

const mostProperties = 20
const longestText = 128
const propertyName = /^[A-Za-z][A-Za-z0-9_]{0,63}$/
const eventName = /^[A-Z][A-Z0-9_]{0,63}$/
const idText = /^[\x21-\x7e]{1,64}$/
const typeName = /^[a-z][a-z0-9_-]{0,63}$/

/** EVM, Bitcoin's two kinds, and base58 of a length that Solana's have. A hash of a transaction leads to an address too. */
const address = /[0-9a-f]{40}|(?:bc1|tb1|bcrt1)[a-z0-9]{20,}|(?<![a-z0-9])[1-9A-HJ-NP-Za-km-z]{26,90}(?![a-z0-9])/i
const email = /[^\s@]+@[^\s@]+/

export type ReadEvent =
  | { readonly ok: true; readonly event: KeptEvent }
  | { readonly ok: false; readonly name: string; readonly description: string }

/** @param receivedAt epoch milliseconds */
export function readEvent({ eventId, url, props }: AnalyticsEvent, project: Project, receivedAt: number): ReadEvent {
  const origin = originOf(url)
  if (!idText.test(eventId)) return { ok: false, name: 'eventId', description: 'This is no id of an event' }
  if (origin === null) return { ok: false, name: 'url', description: 'This is no address of a page' }
  if (!eventName.test(props.event))
    return { ok: false, name: 'props.event', description: 'This is no name of an event' }
  if (!typeName.test(props.type)) return { ok: false, name: 'props.type', description: 'This is no type of an event' }
  const { addresses } = project.analytics
  return {
    ok: true,
    event: {
      projectId: project.id,
      eventId,
      type: props.type,
      event: props.event,
      origin,
      properties: readProperties(props.properties ?? {}, addresses),
      address: addresses && isAddress(props.address) ? props.address : null,
      receivedAt,
    },
  }
}

function readProperties(all: Readonly<Record<string, unknown>>, addresses: boolean): KeptEvent['properties'] {
  const kept: [string, string | number | boolean][] = []
  for (const [name, value] of Object.entries(all)) {
    if (kept.length === mostProperties) break
    if (!propertyName.test(name) || !isKept(name, addresses)) continue
    if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) kept.push([name, value])
    if (typeof value === 'string' && isKept(value, addresses)) kept.push([name, value])
  }
  return Object.fromEntries(kept)
}

function isAddress(text: string | undefined): text is string {
  return text !== undefined && isText(text) && address.test(text)
}

function isKept(text: string, addresses: boolean): boolean {
  return isText(text) && !email.test(text) && (addresses || !address.test(text))
}

/** What PostgreSQL takes for one: no zero byte, and no half of a character. */
function isText(text: string): boolean {
  return text.length <= longestText && !/[\0\p{Cs}]/u.test(text)
}
