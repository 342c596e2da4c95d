import type { Clock } from '@postern/base/clock'
import { adapter } from '@postern/chains/bip122/adapter'
import { parseBitcoinAddress } from '@postern/chains/bip122/address'
import { finishPsbt } from '@postern/chains/bip122/psbt'
import { segwitAddressOf } from '@postern/chains/bip122/segwit-address'
import { broadcast, composeTransfer } from '@postern/chains/bip122/transfer'
import { signInDomain } from '@postern/chains/sign-in-message'
import { type ApprovalSubject, bip122Requests } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { parseObjectParams } from '@postern/protocol/validation/params'
import type { ChainContext, SignJob, WalletChain } from '../../contract'
import { gatewayClient } from '../endpoint'
import type { Notes } from '../notes'
import { replacedMessage } from '../sent-state'
import { isSignable } from './keys/sighash'
import { coinsOf, isSame, parsePsbt, previousOutput, withPreviousTransactions } from './proven-psbt'
import { executeReplacement, isReplacement, prepareReplacement, waitingTransactions } from './replace'
import { createSentBitcoin, type SentBitcoin } from './sent'
import type { BitcoinUse } from './settle'

/**
 * The embedded wallet on Bitcoin: one P2WPKH payment address at m/84'/0'/0'/0/0.
 *
 * 1. Only the wallet's own address on the request's network spends and signs; any other is UNAUTHORIZED.
 * 2. An input to sign spends our coin. An unsupported SIGHASH type (`keys/sighash.ts`) is INVALID_PARAMS.
 * 3. A sign-in message for another domain is prepared as blocked.
 * 4. The transaction that made a coin proves its value. A signature covers no other coin's value (BIP-143), so two
 *    requests that lie about each other's coin could make one large fee.
 * 5. The subject's bytes are executed; the id is computed here.
 * 6. No coin of an earlier transaction is offered again, and no transfer with unknown outcome is made twice
 *    (`sent.ts`).
 *
 * `notes` stores what was sent, by default in memory.
 */
export function createBip122Chain(notes?: Notes, clock?: Pick<Clock, 'now'>): WalletChain {
  const sent = createSentBitcoin(notes, clock)
  return {
    async answer(method, params, context) {
      if (method === 'bip122_getAccountAddresses') {
        const { bip122: publicKey } = context.addresses
        return [{ address: own(context), publicKey, path: "m/84'/0'/0'/0/0", purpose: 'payment' }]
      }
      if (!adapter.isChainRead(method)) throw new Failure('UNSUPPORTED_METHOD')
      return adapter.read(gatewayClient(context), method, params, context.signal)
    },

    async prepare(method, params, context) {
      switch (method) {
        case 'bip122_signMessage': {
          const { address, message, protocol = 'bip322' } = parseObjectParams(bip122Requests[method].params, params)
          requireOwn(address, context)
          const isForeign = signInDomain(message, context.origin) === 'foreign'
          return {
            subject: { kind: 'bip122.message', address: own(context), message, protocol },
            ...(isForeign && { blocked: 'DOMAIN_MISMATCH' }),
          }
        }
        case 'bip122_signPsbt': {
          const { psbt, signInputs, broadcast } = parseObjectParams(bip122Requests[method].params, params)
          for (const { address } of signInputs) requireOwn(address, context)
          const inputs = signInputs.map(({ index, sighashTypes }) => inputOf(psbt, index, sighashTypes, context))
          if (inputs.length === 0) throw new Failure('INVALID_PARAMS', { message: 'No input is to be signed' })
          const proven = await withPreviousTransactions(psbt, inputs, context)
          return {
            subject: { kind: 'bip122.psbt', address: own(context), psbt: proven, inputs, sends: broadcast === true },
          }
        }
        case 'bip122_sendTransfer':
          return { subject: await transferSubject(params, context, sent) }
        default:
          throw new Failure('UNSUPPORTED_METHOD')
      }
    },

    waiting: (context) => waitingTransactions(senderOf(context), context, sent),
    prepareReplacement: async (replacement, context) => ({
      method: 'bip122_sendTransfer',
      subject: await prepareReplacement(replacement, senderOf(context), context, sent),
    }),

    async execute(method, subject, context) {
      const { networkId } = context
      if (subject.kind === 'bip122.message') {
        const { address, message, protocol } = subject
        return { address, signature: await context.sign({ kind: subject.kind, networkId, message, protocol }) }
      }
      if (subject.kind !== 'bip122.psbt') throw new Failure('INTERNAL')
      const { kind, psbt, inputs, sends } = subject
      const job: SignJob = {
        kind,
        networkId,
        psbt,
        inputs: inputs.map(({ index, sighash }) => ({ index, ...(sighash !== undefined && { sighash }) })),
      }
      if (isReplacement(subject)) {
        const signed = await context.sign(job)
        return executeReplacement({ subject, signed }, senderOf(context), context, sent)
      }
      const isTransfer = method === 'bip122_sendTransfer'
      const use = isTransfer ? await requireFreeCoins(psbt, context, sent) : null
      const signed = await context.sign(job)
      const made = sends ? await sendSigned(psbt, signed, use, context, sent) : undefined
      return isTransfer ? made : { psbt: signed, ...made }
    },
  }
}

/** @throws {Failure} TRANSACTION_REPLACED if another transaction has used a coin meanwhile */
async function requireFreeCoins(psbt: string, context: ChainContext, sent: SentBitcoin): Promise<BitcoinUse> {
  const use = await sent.coinsForTransfer(senderOf(context), gatewayClient(context).esplora, context.signal)
  const coins = coinsOf(psbt)
  if (coins.some((coin) => use.inUse.has(coin))) throw new Failure('TRANSACTION_REPLACED', { message: replacedMessage })
  return use
}

function sendSigned(psbt: string, signed: string, use: BitcoinUse | null, context: ChainContext, sent: SentBitcoin) {
  const finished = finishPsbt(psbt, signed)
  const { txid, hex } = finished
  const note = { ...senderOf(context), txid, hex, coins: coinsOf(psbt) }
  return sent.send(note, use, () => broadcast(gatewayClient(context).esplora, finished, context.signal))
}

function senderOf(context: ChainContext) {
  return { networkId: context.networkId, address: own(context) }
}

function own({ addresses, networkId }: Pick<ChainContext, 'addresses' | 'networkId'>): string {
  return segwitAddressOf(addresses.bip122, networkId)
}

function requireOwn(address: string, context: ChainContext): void {
  if (parseBitcoinAddress(address)?.address !== own(context)) throw new Failure('UNAUTHORIZED')
}

async function transferSubject(params: unknown, context: ChainContext, sent: SentBitcoin): Promise<ApprovalSubject> {
  const request = parseObjectParams(bip122Requests.bip122_sendTransfer.params, params)
  if (request.account !== undefined) requireOwn(request.account, context)
  const address = own(context)
  const transfer = {
    networkId: context.networkId,
    sender: { namespace: 'bip122', address, type: 'payment', publicKey: context.addresses.bip122 },
    recipientAddress: request.recipientAddress,
    amount: BigInt(request.amount),
    changeAddress: request.changeAddress,
    feeRate: request.feeRate,
  } as const
  const { esplora } = gatewayClient(context)
  const use = await sent.coinsForTransfer(senderOf(context), esplora, context.signal)
  const { psbt, signInputs } = await composeTransfer(transfer, esplora, context.signal, use)
  const inputs = signInputs.map(({ index }) => ({ index }))
  const proven = await withPreviousTransactions(psbt, inputs, context)
  return { kind: 'bip122.psbt', address, psbt: proven, inputs, sends: true }
}

/** The approval warns about any type but SIGHASH_ALL. */
function inputOf(base64: string, index: number, allowed: readonly number[] | undefined, context: ChainContext) {
  const psbt = parsePsbt(base64)
  const input = psbt.data.inputs[index]
  const spent = input?.witnessUtxo ?? previousOutput(psbt, index)
  const { script } = parseBitcoinAddress(own(context)) ?? {}
  if (input === undefined || spent === undefined || !isSame(spent.script, script))
    throw new Failure('INVALID_PARAMS', { message: `Input ${index} does not spend a coin of this wallet` })
  const sighash = input.sighashType ?? allowed?.[0]
  if (sighash === undefined) return { index }
  if (!isSignable(sighash, index, psbt.txOutputs.length) || (allowed !== undefined && !allowed.includes(sighash)))
    throw new Failure('INVALID_PARAMS', {
      message: `Input ${index} asks for a kind of signature that is not allowed`,
    })
  return { index, sighash }
}
