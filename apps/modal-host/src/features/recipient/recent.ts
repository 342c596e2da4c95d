import { accountKey } from '@postern/chains/account-key'
import { isSameAddress } from '@postern/chains/same-address'
import { type Account, readStored } from '@postern/protocol'
import * as z from 'zod/mini'
import type { MoneyHost } from '../../snapshot/money'

/** Somebody who was sent something before; `name` where the address was found by one. */
export type Recent = { readonly address: string; readonly name?: string | undefined }

const Kept = z.array(
  z.object({
    address: z.string().check(z.minLength(1), z.maxLength(128)),
    name: z.optional(z.string().check(z.maxLength(253))),
  }),
)

/** Kept of each account. */
const most = 50

type Storage = Pick<MoneyHost, 'kept'>
type Sender = Pick<Account, 'namespace' | 'address'>

const nameOf = (sender: Sender) => `recentRecipients.${accountKey(sender)}`

/**
 * Whom an account sent to on this dapp, the newest first. Whoever else uses the browser does not see them.
 *
 * Only the frame's own storage is believed: where the dapp's page keeps it instead, the page could put its own address among them.
 */
export function recentRecipients({ kept }: Storage, sender: Sender): readonly Recent[] {
  return kept.place === 'frame' ? (readStored(Kept, kept.get(nameOf(sender))) ?? []) : []
}

export function rememberRecipient({ kept }: Storage, sender: Sender, recent: Recent): void {
  if (kept.place !== 'frame') return
  const others = recentRecipients({ kept }, sender).filter(({ address }) => !isSameAddress(address, recent.address))
  kept.set(nameOf(sender), JSON.stringify([recent, ...others].slice(0, most)))
}

/**
 * An earlier recipient whose ends, by which people know an address (spec §9), are those of `address`, and which is another. Histories are poisoned with
 * such addresses: an attacker sends nothing from one, and waits for it to be copied.
 */
export function lookalikeOf(address: string, recents: readonly Recent[]): Recent | null {
  if (recents.some((recent) => isSameAddress(recent.address, address))) return null
  const [head, tail, longTail] = endsOf(address)
  return (
    recents.find((recent) => {
      const [otherHead, otherTail, otherLongTail] = endsOf(recent.address)
      return (head === otherHead && tail === otherTail) || longTail === otherLongTail
    }) ?? null
  )
}

/** What every address of a kind begins with tells nobody apart. */
function endsOf(address: string): readonly [string, string, string] {
  const text = address.toLowerCase().replace(/^(0x|bc1.|tb1.|bcrt1.)/, '')
  return [text.slice(0, 4), text.slice(-4), text.slice(-6)]
}
