import { Failure } from '@postern/protocol/failure'
import { parseObjectParams } from '@postern/protocol/validation/params'
import * as z from 'zod/mini'
import type { ChainAdapter } from '../adapter'
import type { ChainClient } from '../chain-client'
import { type BitcoinAddress, isAddressOn, parseBitcoinAddress } from './address'
import {
  type EsploraTransaction,
  postTransaction,
  RawTransaction,
  readBalance,
  readFeeEstimates,
  readTransaction,
  readUtxos,
  TransactionId,
} from './esplora'

const AddressParams = z.object({ address: z.string() })
const TransactionParams = z.object({ txid: TransactionId })
const RawTransactionParams = z.object({ transaction: RawTransaction })

type Read = (client: ChainClient, params: unknown, signal?: AbortSignal) => Promise<unknown>

/** See docs/guides/bitcoin.md. Decimal text keeps satoshis exact. */
const reads: ReadonlyMap<string, Read> = new Map<string, Read>([
  [
    'bip122_getBalance',
    async (client, params, signal) => {
      const { confirmed, unconfirmed } = await readBalance(client.esplora, addressFrom(client, params), signal)
      return { confirmed: `${confirmed}`, unconfirmed: `${unconfirmed}`, total: `${confirmed + unconfirmed}` }
    },
  ],
  [
    'bip122_getUtxos',
    async (client, params, signal) => {
      const utxos = await readUtxos(client.esplora, addressFrom(client, params), signal)
      return utxos.map(({ txid, vout, value, status }) => ({ txid, vout, value: `${value}`, ...confirmation(status) }))
    },
  ],
  ['bip122_getFeeEstimates', (client, _params, signal) => readFeeEstimates(client.esplora, signal)],
  [
    'bip122_getTransaction',
    async (client, params, signal) =>
      toJson(await readTransaction(client.esplora, parseObjectParams(TransactionParams, params).txid, signal)),
  ],
  [
    'bip122_sendRawTransaction',
    async (client, params, signal) => ({
      txid: await postTransaction(client.esplora, parseObjectParams(RawTransactionParams, params).transaction, signal),
    }),
  ],
])

export const adapter: ChainAdapter = {
  namespace: 'bip122',

  async normaliseAddresses(addresses) {
    return addresses.map((text) => parsed(text).address)
  },

  async nativeBalance({ esplora }, address, signal) {
    const { confirmed, unconfirmed } = await readBalance(esplora, parsed(address).address, signal)
    return confirmed + unconfirmed
  },

  ping: ({ esplora }, signal) => esplora.get('/blocks/tip/height', signal),

  isChainRead: (method) => reads.has(method),

  async read(client, method, params, signal) {
    const read = reads.get(method)
    if (read === undefined) throw new Failure('UNSUPPORTED_METHOD')
    return read(client, params, signal)
  },

  localAnswer(method, { accounts }) {
    if (method !== 'bip122_getAccountAddresses') return undefined
    return accounts.map(({ address, type, publicKey, path }) => ({
      address,
      purpose: type === 'ordinals' ? 'ordinals' : 'payment',
      ...(publicKey !== undefined && { publicKey }),
      ...(path !== undefined && { path }),
    }))
  },
}

function parsed(text: string): BitcoinAddress {
  const address = parseBitcoinAddress(text)
  if (address === undefined) throw new Failure('INVALID_PARAMS')
  return address
}

/** The result for another network's address would always be empty. */
function addressFrom({ networkId }: ChainClient, params: unknown): string {
  const address = parsed(parseObjectParams(AddressParams, params).address)
  if (!isAddressOn(address, networkId)) throw new Failure('INVALID_PARAMS')
  return address.address
}

function confirmation({ confirmed, block_height, block_time }: EsploraTransaction['status']) {
  return {
    confirmed,
    ...(typeof block_height === 'number' && { blockHeight: block_height }),
    ...(typeof block_time === 'number' && { blockTime: block_time }),
  }
}

function toJson({ txid, weight, fee, vin, vout, status }: EsploraTransaction) {
  return {
    txid,
    /** Vbytes. */
    size: Math.ceil(weight / 4),
    fee: `${fee}`,
    inputs: vin.map((input) => ({ txid: input.txid, vout: input.vout, ...(input.prevout && output(input.prevout)) })),
    outputs: vout.map(output),
    ...confirmation(status),
  }
}

function output({ scriptpubkey, scriptpubkey_address, value }: EsploraTransaction['vout'][number]) {
  return {
    value: `${value}`,
    script: scriptpubkey,
    ...(scriptpubkey_address !== undefined && { address: scriptpubkey_address }),
  }
}
