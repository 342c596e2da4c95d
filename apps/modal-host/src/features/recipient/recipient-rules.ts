import type { CaipNetworkId } from '@postern/protocol'

export type ReadRecipient =
  | { readonly kind: 'empty' }
  /** As the namespace writes it: EIP-55 on EVM, bech32 in lower case. */
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'invalid'; readonly reason: RecipientFault }

export type RecipientFault =
  | 'none'
  /** A typo. */
  | 'checksum'
  | 'network'
  /** No one has the key: anything sent there is lost. */
  | 'burned'

/** Rule numbers are those of `readRecipient`. */
export type RecipientRules = {
  readonly scheme: string
  /** SLIP-44, in order of preference. */
  coinTypes(reference: string): readonly string[]
  /** The recipient in a link without its scheme. */
  fromLink(rest: string, reference: string): string | ReadRecipient
  /** Other namespaces take such text for an address of this one. */
  looksLikeAddress(text: string): boolean
  /** Null if the text is no address of the namespace. */
  read(text: string, networkId: CaipNetworkId): Promise<ReadRecipient | null>
}

export function invalid(reason: RecipientFault): ReadRecipient {
  return { kind: 'invalid', reason }
}

/** The path of a link that is nothing but an address. Sources: Solana Pay, BIP-21. */
export function plainPath(rest: string): string | ReadRecipient {
  const path = pathOf(rest)
  return /^[a-zA-Z0-9]+$/.test(path) ? path : invalid('none')
}

export function pathOf(rest: string): string {
  const [path = ''] = rest.replace(/^\/\//, '').split('?')
  return path
}
