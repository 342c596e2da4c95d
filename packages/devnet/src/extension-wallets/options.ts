/** Options of a script tag's `data-` attributes or `installDevnetWallet`. */
import { WalletNetwork } from '@postern/evm-wallet/options'
import * as z from 'zod/mini'

export const WalletOptions = z.strictObject({
  name: z._default(z.string().check(z.minLength(1)), 'Devnet Wallet'),
  /** EIP-6963 rdns, also the key of storage and controls. */
  rdns: z._default(z.string().check(z.minLength(1)), 'dev.postern.devnet-wallet'),
  icon: z.optional(z.string().check(z.regex(/^data:image\//))),
  /** m/44'/60'/0'/0/i of the devnet's mnemonic. */
  account: z._default(z.int().check(z.gte(0), z.lte(9)), 0),
  /** Accounts that a dapp sees after the active one, and that sign too. */
  others: z._default(z.array(z.int().check(z.gte(0), z.lte(9))), []),
  /** The first is active unless `chain` is set. */
  networks: z._default(z.array(WalletNetwork).check(z.minLength(1)), [
    { chainId: 31337, name: 'Postern Devnet', rpcUrl: 'http://127.0.0.1:8545' },
    { chainId: 31338, name: 'Postern Devnet Two', rpcUrl: 'http://127.0.0.1:8546' },
  ]),
  chain: z.optional(z.int().check(z.positive())),
  /** By EIP-6963. */
  announce: z._default(z.boolean(), true),
  /** Also set `window.ethereum`, as before EIP-6963. */
  legacy: z._default(z.boolean(), false),
  locked: z._default(z.boolean(), false),
  autoApprove: z._default(z.boolean(), false),
})
export type WalletOptions = z.infer<typeof WalletOptions>
export type WalletOptionsInput = z.input<typeof WalletOptions>

export const bitcoinApis = ['standard', 'unisat', 'xverse', 'leather', 'okx', 'phantom'] as const
export type BitcoinApi = (typeof bitcoinApis)[number]

/** Wallets other than EVM. */
export const OtherWalletOptions = z.strictObject({
  /** `multi`: all three namespaces. */
  kind: z.enum(['solana', 'bitcoin', 'multi']),
  /** Provider API of a Bitcoin wallet. */
  as: z._default(z.enum(bitcoinApis), 'standard'),
  name: z.optional(z.string().check(z.minLength(1))),
  /** Key of storage and controls. */
  rdns: z.optional(z.string().check(z.minLength(1))),
  icon: z.optional(z.string().check(z.regex(/^data:image\//))),
  account: z._default(z.int().check(z.gte(0), z.lte(9)), 0),
  /** Wallet Standard name. Default: the devnet's. */
  chain: z.optional(z.string()),
  locked: z._default(z.boolean(), false),
  autoApprove: z._default(z.boolean(), false),
})
export type OtherWalletOptions = z.infer<typeof OtherWalletOptions>
export type AnyWalletOptionsInput =
  | (WalletOptionsInput & { readonly kind?: 'evm' })
  | z.input<typeof OtherWalletOptions>

export function parseOtherOptions(input: unknown): OtherWalletOptions {
  const parsed = z.safeParse(OtherWalletOptions, input)
  if (!parsed.success) throw new Error(`The wallet's options are not valid.\n${z.prettifyError(parsed.error)}`)
  return parsed.data
}

/** Reads `data-kind="bitcoin" data-as="unisat"` and other {@link OtherWalletOptions}; null for EVM. */
export function readOtherScriptOptions(
  dataset: Readonly<Record<string, string | undefined>>,
): OtherWalletOptions | null {
  if (dataset.kind === undefined || dataset.kind === 'evm') return null
  const { kind, as, name, rdns, icon, account, chain, locked, autoApprove } = dataset
  return parseOtherOptions({
    kind,
    ...(as !== undefined && { as }),
    ...(name !== undefined && { name }),
    ...(rdns !== undefined && { rdns }),
    ...(icon !== undefined && { icon }),
    ...(account !== undefined && { account: Number(account) }),
    ...(chain !== undefined && { chain }),
    ...(locked !== undefined && { locked: flag(locked) }),
    ...(autoApprove !== undefined && { autoApprove: flag(autoApprove) }),
  })
}

/** Reads `data-more="solana bitcoin multi unisat"`: kinds and Bitcoin APIs. Throws on other words. */
export function readMore(words: string | undefined): readonly OtherWalletOptions[] {
  const wanted = (words ?? '').split(/[\s,]+/).filter((word) => word !== '')
  return wanted.map((word) => {
    const isApi = bitcoinApis.some((api) => api === word)
    return parseOtherOptions(isApi ? { kind: 'bitcoin', as: word } : { kind: word })
  })
}

export function parseWalletOptions(input: unknown): WalletOptions {
  const parsed = z.safeParse(WalletOptions, input)
  if (!parsed.success) throw new Error(`The wallet's options are not valid.\n${z.prettifyError(parsed.error)}`)
  return parsed.data
}

const text = (value: string) => value
const flag = (value: string) => (value === '' || value === 'true' ? true : value === 'false' ? false : value)
/** By name in `dataset`. */
const attributes: { readonly [K in keyof WalletOptions]: (value: string) => unknown } = {
  name: text,
  rdns: text,
  icon: text,
  account: Number,
  others: (value) => value.split(' ').map(Number),
  networks: (value) => JSON.parse(value),
  chain: Number,
  announce: flag,
  legacy: flag,
  locked: flag,
  autoApprove: flag,
}

/**
 * Reads the attributes of a script tag.
 * `<script src="…/page-wallet.js" data-name="Second Wallet" data-rdns="dev.example.second" data-legacy>`. A flag is on
 * if present, off with `="false"`. `data-networks` is a JSON list of {@link WalletNetwork}.
 */
export function readScriptOptions(dataset: Readonly<Record<string, string | undefined>>): WalletOptions {
  const input: Record<string, unknown> = {}
  for (const [name, read] of Object.entries(attributes)) {
    const value = dataset[name]
    if (value !== undefined) input[name] = read(value)
  }
  return parseWalletOptions(input)
}
