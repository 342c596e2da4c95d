/**
 * Reduces an event to the fields that the gateway stores.
 *
 * 1. Of the page's URL, only the origin: path and query may identify the visitor.
 * 2. Only flat properties: short strings, numbers and booleans, at most twenty.
 * 3. No address in any field, property or name, unless the project allows addresses; never an email address.
 */
import type { AnalyticsEvent } from '@postern/protocol'
import type { Project } from '../../projects/project'
import { originOf } from '../pages/decide'

export type StoredEvent = {
  readonly projectId: string
  readonly eventId: string
  readonly type: string
  readonly event: string
  readonly origin: string
  readonly properties: Readonly<Record<string, string | number | boolean>>
  readonly address: string | null
  /** Epoch ms, by the gateway's clock. */
  readonly receivedAt: number
}

const maxProperties = 20
const maxTextLength = 128
const propertyName = /^[A-Za-z][A-Za-z0-9_]{0,63}$/
const eventName = /^[A-Z][A-Z0-9_]{0,63}$/
const idText = /^[\x21-\x7e]{1,64}$/
const typeName = /^[a-z][a-z0-9_-]{0,63}$/

/** EVM, Bitcoin, and base58 of Solana's length; also transaction hashes, which lead to an address. */
const address = /[0-9a-f]{40}|(?:bc1|tb1|bcrt1)[a-z0-9]{20,}|(?<![a-z0-9])[1-9A-HJ-NP-Za-km-z]{26,90}(?![a-z0-9])/i
const email = /[^\s@]+@[^\s@]+/

export type ReadEvent =
  | { readonly ok: true; readonly event: StoredEvent }
  | { readonly ok: false; readonly name: string; readonly description: string }

/** @param receivedAt epoch ms */
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

function readProperties(all: Readonly<Record<string, unknown>>, addresses: boolean): StoredEvent['properties'] {
  const properties: [string, string | number | boolean][] = []
  for (const [name, value] of Object.entries(all)) {
    if (properties.length === maxProperties) break
    if (!propertyName.test(name) || !isAllowedText(name, addresses)) continue
    if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
      properties.push([name, value])
    if (typeof value === 'string' && isAllowedText(value, addresses)) properties.push([name, value])
  }
  return Object.fromEntries(properties)
}

function isAddress(text: string | undefined): text is string {
  return text !== undefined && isText(text) && address.test(text)
}

function isAllowedText(text: string, addresses: boolean): boolean {
  return isText(text) && !email.test(text) && (addresses || !address.test(text))
}

/** PostgreSQL text: no NUL, no unpaired surrogate. */
function isText(text: string): boolean {
  return text.length <= maxTextLength && !/[\0\p{Cs}]/u.test(text)
}
