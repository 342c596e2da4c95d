import type { NamespaceFacts } from './contract'

export const bip122 = {
  name: 'Bitcoin',
  reference: /^[-_a-zA-Z0-9]{1,32}$/,
  networkId: String,
  address: /^[a-zA-Z0-9]{14,90}$/,
  /** Base58check (P2PKH, P2SH) or bech32 of mainnet, testnet and regtest. Bech32 has one case (BIP-173). */
  recipient:
    /^(?:[123mn][1-9A-HJ-NP-Za-km-z]{25,34}|(?:bc|tb|bcrt)1[02-9ac-hj-np-z]{11,71}|(?:BC|TB|BCRT)1[02-9AC-HJ-NP-Z]{11,71})$/,
  caseChecksum: null,
  decimals: 8,
  nativeAddress: 'native',
  balance: { method: 'bip122_getBalance', params: (address) => ({ address }), member: 'total' },
  api: 'esplora',
  explorer: { address: 'address', tx: 'tx' },
} as const satisfies NamespaceFacts

/** By Wallet Standard name. Source: https://github.com/ExodusMovement/bitcoin-wallet-standard */
export const bip122Chains = {
  mainnet: 'bip122:000000000019d6689c085ae165831e93',
  testnet: 'bip122:000000000933ea01ad0ee984209779ba',
  signet: 'bip122:00000008819873e925422c1ff0f99f7c',
  regtest: 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328',
} as const
