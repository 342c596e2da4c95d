import { socialProviders } from '@postern/protocol'
import fc from 'fast-check'

const short = fc.string({ maxLength: 12 })
const id = fc.string({ minLength: 1, maxLength: 64 })
const maybe = <T>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }, requiredKeys: (keyof T)[]) =>
  fc.record(shape, { requiredKeys })

const namespace = fc.constantFrom('eip155', 'solana', 'bip122')
const networkId = fc.oneof(
  fc.nat().map((chain) => `eip155:${chain}`),
  fc.constantFrom('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'bip122:000000000019d6689c085ae165831e93'),
)
const url = fc.oneof(
  fc.webUrl(),
  fc.constantFrom('http://127.0.0.1:8545', 'ftp://x', 'https://', ' https://a.b ', 'javascript:1', 'https:a'),
)

const account = maybe(
  {
    namespace,
    address: fc.string({ minLength: 1, maxLength: 128 }),
    type: fc.constantFrom('eoa', 'payment', 'smartAccount', 'ordinals'),
    publicKey: short,
    path: short,
  },
  ['namespace', 'address', 'type'],
)
const connector = maybe(
  {
    id,
    name: short,
    type: fc.constantFrom('EXTERNAL', 'WALLET_CONNECT', 'INJECTED', 'ANNOUNCED', 'AUTH', 'MULTI_CHAIN', 'ID_AUTH'),
    imageUrl: short,
    pageWallet: id,
  },
  ['id', 'name', 'type'],
)
export const connection = fc.oneof(
  fc.record({ status: fc.constant('disconnected') }),
  maybe(
    {
      status: fc.constantFrom('connecting', 'reconnecting'),
      connector,
      accounts: fc.array(account, { maxLength: 2 }),
      networkId,
    },
    ['status'],
  ),
  maybe(
    {
      status: fc.constant('connected'),
      connector,
      accounts: fc.array(account, { minLength: 1, maxLength: 2 }),
      networkId,
      unsupported: fc.constant(true),
    },
    ['status', 'connector', 'accounts', 'networkId'],
  ),
)
const walletInfo = maybe(
  {
    name: short,
    icon: short,
    social: fc.constantFrom(...socialProviders),
  },
  ['name'],
)
export const walletInfos = maybe({ eip155: walletInfo, solana: walletInfo, bip122: walletInfo }, [])
const network = maybe(
  {
    id: fc.oneof(fc.integer(), short),
    name: short,
    chainNamespace: namespace,
    caipNetworkId: networkId,
    nativeCurrency: fc.record({ name: short, symbol: short, decimals: fc.integer({ min: 0, max: 255 }) }),
    rpcUrls: fc.array(url, { maxLength: 2 }),
    blockExplorers: fc.array(fc.record({ name: short, url }), { maxLength: 1 }),
    testnet: fc.boolean(),
    deprecatedCaipNetworkId: networkId,
    assets: fc.record({ imageId: short, imageUrl: short }, { requiredKeys: [] }),
  },
  ['id', 'name', 'chainNamespace', 'caipNetworkId', 'nativeCurrency', 'rpcUrls', 'blockExplorers', 'testnet'],
)
export const hostState = fc.record({
  seq: fc.nat(),
  open: fc.boolean(),
  themeMode: fc.constantFrom('light', 'dark'),
  networks: fc.array(network, { maxLength: 2 }),
  activeNetworkId: fc.option(networkId),
  connections: fc.record({ eip155: connection, solana: connection, bip122: connection }, { requiredKeys: [] }),
})

export const linkError = maybe({ code: id, message: short, rpc: fc.integer(), data: fc.jsonValue(), fix: short }, [
  'code',
  'message',
])
export const envelope = fc.oneof(
  maybe(
    {
      v: fc.constant(1),
      id,
      kind: fc.constant('request'),
      method: fc.string({ maxLength: 64 }),
      params: fc.jsonValue(),
    },
    ['v', 'id', 'kind', 'method'],
  ),
  maybe({ v: fc.constant(1), id, kind: fc.constant('result'), result: fc.jsonValue() }, ['v', 'id', 'kind']),
  fc.record({ v: fc.constant(1), id, kind: fc.constant('error'), error: linkError }),
  fc.record({ v: fc.constant(1), id, kind: fc.constant('cancel') }),
  maybe(
    { v: fc.constant(1), id, kind: fc.constant('event'), event: fc.string({ maxLength: 64 }), data: fc.jsonValue() },
    ['v', 'id', 'kind', 'event'],
  ),
)
export const welcome = fc.record({ kind: fc.constant('welcome'), v: fc.integer({ min: 1 }), host: short })
export const refusal = fc.record({ kind: fc.constant('refused'), error: linkError, origin: short })
export const walletRequest = maybe(
  {
    wallet: id,
    method: fc.constantFrom(
      'eth_accounts',
      'eth_requestAccounts',
      'personal_sign',
      'eth_sendTransaction',
      'eth_sign',
      'solana_signMessage',
      'bip122_signPsbt',
    ),
    params: fc.array(fc.jsonValue(), { maxLength: 2 }),
  },
  ['wallet', 'method'],
)
export const store = fc.record({ key: fc.string({ maxLength: 130 }), value: fc.option(short) })

export const openLink = fc.record({
  url: fc.oneof(fc.webUrl(), fc.string({ minLength: 1, maxLength: 20 })),
  target: fc.constantFrom('app', 'tab', 'top'),
})

const address = fc.string({ minLength: 1, maxLength: 128 })
const time = fc.oneof(
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  short,
)
const signInMessage = maybe(
  {
    accountAddress: address,
    chainId: networkId,
    domain: id,
    uri: id,
    version: fc.constantFrom('1', ''),
    nonce: id,
    statement: short,
    issuedAt: time,
    expirationTime: time,
    notBefore: time,
    requestId: short,
    resources: fc.array(short, { maxLength: 2 }),
  },
  ['accountAddress', 'chainId', 'domain', 'uri', 'version', 'nonce'],
)
const signInSession = maybe({ data: signInMessage, message: id, signature: id, cacao: fc.jsonValue() }, [
  'data',
  'message',
  'signature',
])
export const createMessage = fc.record({ chainId: networkId, accountAddress: address })
export const addSession = fc.record({ session: signInSession })
export const setSessions = fc.record({ sessions: fc.array(signInSession, { maxLength: 2 }) })
export const signedInAs = fc.record({ chainId: networkId, address })
