import { toHex } from '../../adapters/bytes'
import { member } from '../../adapters/call'
import { numbered, type Router } from '../../adapters/router'
import { bitcoinAccounts } from '../../providers/deferred'
import { failure } from '../../shared/errors'
import { requestFailure } from '../../shared/failures'
import type { Account, BitcoinAccount } from '../../types/index'
import { isTaproot, nameNetwork } from './adapt/accounts'

type Answer =
  | { readonly jsonrpc: '2.0'; readonly id: string; readonly result: unknown }
  | {
      readonly jsonrpc: '2.0'
      readonly id: string
      readonly error: { readonly code: number; readonly message: string }
    }

export type SatsConnectRequest = (method: unknown, params?: unknown) => Promise<Answer>

/** EIP-1193's numbers to sats-connect's. Source: https://docs.xverse.app/sats-connect/error-codes */
const numbers: Readonly<Record<number, number>> = { 4001: -32000, 4100: -32002, 4200: -32601 }

/**
 * Postern as a sats-connect provider (WBIP-004). Source: https://docs.xverse.app/sats-connect
 *
 * 1. A response is complete JSON-RPC. It never rejects: a failure is an `error` with sats-connect's number.
 * 2. `getAddresses`, `getAccounts` and `wallet_connect` prompt if disconnected, and return the requested purposes.
 * 3. Amounts are whole satoshis, as numbers or decimal text; a transfer has one recipient. The inputs of a PSBT are
 *    indexes by address, as in sats-connect, or a list of `{index, address}`, as in @stacks/connect.
 * 4. An unknown method is -32601, malformed parameters are -32602; neither reaches a wallet.
 */
export function createSatsConnectRequest(
  router: Pick<Router, 'request' | 'accounts' | 'connect' | 'disconnect' | 'networkId'>,
  { version, subtle }: { readonly version: string; readonly subtle: SubtleCrypto | undefined },
): SatsConnectRequest {
  let count = 0

  const ask = async (name: string, params: object) =>
    members(await router.request({ method: `bip122_${name}`, params }))
  const addresses = (accounts: readonly Account[], purposes: unknown) =>
    bitcoinAccounts(accounts)
      .filter(({ purpose }) => !Array.isArray(purposes) || purposes.includes(purpose))
      .map(toAddress)
  const connect = async (purposes: unknown) => addresses(await router.connect(false), purposes)
  const network = () => {
    const name = nameNetwork(router.networkId()) ?? 'mainnet'
    return { bitcoin: { name: name.charAt(0).toUpperCase() + name.slice(1) } }
  }
  const granted = () => {
    const accounts = router.accounts()
    if (accounts.length === 0) throw failure('UNAUTHORIZED')
    return accounts
  }

  const answers: Readonly<Record<string, (params: Members) => Promise<unknown>>> = {
    getInfo: async () => ({ version, platform: 'web', methods: Object.keys(answers), supports: ['WBIP004'] }),
    getAddresses: async ({ purposes }) => ({ addresses: await connect(purposes), network: network() }),
    getAccounts: ({ purposes }) => connect(purposes),
    async getBalance() {
      const first = bitcoinAccounts(granted()).find(({ purpose }) => purpose === 'payment')
      const { confirmed, unconfirmed, total } = await ask('getBalance', { address: first?.address })
      return { confirmed: String(confirmed), unconfirmed: String(unconfirmed), total: String(total) }
    },
    async signMessage({ address, message, protocol }) {
      if (typeof message !== 'string') throw requestFailure('INVALID_PARAMS')
      const name = isProtocol(protocol) ? protocol : defaultProtocol(address)
      const { signature } = await ask('signMessage', { address, message, protocol: name.toLowerCase() })
      return { address, signature, protocol: name, ...(await hashOf(message, name, subtle)) }
    },
    async signPsbt({ psbt, signInputs, broadcast }) {
      const inputs = Array.isArray(signInputs)
        ? signInputs
        : Object.entries(members(signInputs)).flatMap(([address, indexes]) => {
            if (!Array.isArray(indexes)) throw requestFailure('INVALID_PARAMS')
            return indexes.map((index: unknown) => ({ index, address }))
          })
      return ask('signPsbt', { psbt, signInputs: inputs, ...(broadcast === true && { broadcast }) })
    },
    sendTransfer({ recipients }) {
      if (!Array.isArray(recipients) || recipients.length !== 1) throw requestFailure('INVALID_PARAMS')
      const { address, amount } = members(recipients[0])
      const isWhole = typeof amount === 'string' || Number.isSafeInteger(amount)
      if (!isWhole || !/^\d+$/.test(String(amount))) throw requestFailure('INVALID_PARAMS')
      return ask('sendTransfer', { recipientAddress: address, amount: String(amount) })
    },
    wallet_connect: async ({ addresses: purposes }) => ({
      id: 'postern',
      addresses: await connect(purposes),
      walletType: 'software',
      network: network(),
    }),
    wallet_disconnect: () => router.disconnect().then(() => null),
    wallet_renouncePermissions: () => router.disconnect().then(() => null),
    wallet_getAccount: async () => ({
      id: 'postern',
      addresses: addresses(granted(), undefined),
      walletType: 'software',
      network: network(),
    }),
    wallet_getNetwork: async () => network(),
  }

  return async (method, params) => {
    count++
    const head = { jsonrpc: '2.0', id: String(count) } as const
    try {
      const answer = typeof method === 'string' && Object.hasOwn(answers, method) ? answers[method] : undefined
      if (answer === undefined) return { ...head, error: { code: -32601, message: 'The method is not supported' } }
      return { ...head, result: await numbered(() => answer(members(params))) }
    } catch (thrown) {
      const code = member(thrown, 'code')
      const number = typeof code === 'number' ? (numbers[code] ?? code) : -32603
      return { ...head, error: { code: number, message: String(member(thrown, 'message')) } }
    }
  }
}

type Members = Readonly<Record<string, unknown>>

/** Empty if not an object. */
function members(value: unknown): Members {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

type Protocol = 'ECDSA' | 'BIP322'

function isProtocol(value: unknown): value is Protocol {
  return value === 'ECDSA' || value === 'BIP322'
}

function defaultProtocol(address: unknown): Protocol {
  return addressType(String(address)) === 'p2tr' ? 'BIP322' : 'ECDSA'
}

function toAddress({ address, publicKey = '', purpose }: BitcoinAccount) {
  return { address, publicKey, purpose, addressType: addressType(address), walletType: 'software' }
}

function addressType(address: string): string {
  if (isTaproot(address)) return 'p2tr'
  if (/^(bc|tb|bcrt)1/i.test(address)) return address.length > 50 ? 'p2wsh' : 'p2wpkh'
  return /^[32]/.test(address) ? 'p2sh' : 'p2pkh'
}

/** BIP-137 and BIP-322, in hex. Insecure contexts have no SHA-256. */
async function hashOf(
  message: string,
  protocol: Protocol,
  subtle: SubtleCrypto | undefined,
): Promise<{ readonly messageHash?: string }> {
  if (subtle === undefined) return {}
  const sha256 = async (...parts: readonly Uint8Array[]) =>
    new Uint8Array(await subtle.digest('SHA-256', await new Blob(parts.map((part) => part.slice())).arrayBuffer()))
  const text = utf8(message)
  const hash =
    protocol === 'BIP322'
      ? await taggedHash(sha256, 'BIP0322-signed-message', text)
      : await sha256(await sha256(utf8('\x18Bitcoin Signed Message:\n'), compactSize(text.length), text))
  return { messageHash: toHex(hash) }
}

async function taggedHash(
  sha256: (...parts: readonly Uint8Array[]) => Promise<Uint8Array>,
  tag: string,
  text: Uint8Array,
): Promise<Uint8Array> {
  const prefix = await sha256(utf8(tag))
  return sha256(prefix, prefix, text)
}

const utf8 = (text: string) => new TextEncoder().encode(text)

function compactSize(length: number): Uint8Array {
  if (length < 0xfd) return Uint8Array.of(length)
  if (length <= 0xffff) return Uint8Array.of(0xfd, length & 255, length >> 8)
  return Uint8Array.of(0xfe, length & 255, (length >> 8) & 255, (length >> 16) & 255, length >>> 24)
}
