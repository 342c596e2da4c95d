import { readStored } from '@postern/base/read-stored'
import { accountKey } from '@postern/chains/account-key'
import { isSameAddress } from '@postern/chains/same-address'
import type { Account } from '@postern/protocol'
import * as z from 'zod/mini'
import type { MoneyHost } from '../../snapshot/money'

/** `name`: as the user typed it. */
export type RecentRecipient = { readonly address: string; readonly name?: string | undefined }

const StoredRecipients = z.array(
  z.object({
    address: z.string().check(z.minLength(1), z.maxLength(128)),
    name: z.optional(z.string().check(z.maxLength(253))),
  }),
)

/** Per account. */
const maxRecipients = 50

type Storage = Pick<MoneyHost, 'kept'>
type Sender = Pick<Account, 'namespace' | 'address'>

const storageKey = (sender: Sender) => `recentRecipients.${accountKey(sender)}`

/** Newest first. Only the frame's own storage is trusted: the dapp's page could add its own address. */
export function recentRecipients({ kept }: Storage, sender: Sender): readonly RecentRecipient[] {
  return kept.place === 'frame' ? (readStored(StoredRecipients, kept.get(storageKey(sender))) ?? []) : []
}

export function rememberRecipient({ kept }: Storage, sender: Sender, recent: RecentRecipient): void {
  if (kept.place !== 'frame') return
  const others = recentRecipients({ kept }, sender).filter(({ address }) => !isSameAddress(address, recent.address))
  kept.set(storageKey(sender), JSON.stringify([recent, ...others].slice(0, maxRecipients)))
}

/**
 * A recent recipient with the same visible ends but another address (spec §9). Attackers add lookalikes to a history,
 * so that the user copies one.
 */
export function lookalikeOf(address: string, recents: readonly RecentRecipient[]): RecentRecipient | null {
  if (recents.some((recent) => isSameAddress(recent.address, address))) return null
  const [head, tail, longTail] = endsOf(address)
  return (
    recents.find((recent) => {
      const [otherHead, otherTail, otherLongTail] = endsOf(recent.address)
      return (head === otherHead && tail === otherTail) || longTail === otherLongTail
    }) ?? null
  )
}

/** Start and end, without the prefix that all addresses share. */
function endsOf(address: string): readonly [string, string, string] {
  const text = address.toLowerCase().replace(/^(0x|bc1.|tb1.|bcrt1.)/, '')
  return [text.slice(0, 4), text.slice(-4), text.slice(-6)]
}
