/** An ERC-4337 nonce is a lane (192-bit key) and a counter within it. */

import { Failure } from '@postern/protocol/failure'
import { type Address, decodeAbiParameters, encodeFunctionData, type Hex, parseAbi } from 'viem'
import * as z from 'zod/mini'
import type { ChainContext } from '../../../contract'
import { replacedMessage } from '../../sent-state'
import { safeContracts } from '../account/safe'
import { type Ask, bundlerOf, chainOf, noSmartAccounts } from '../endpoints/endpoints'
import { Hash, HexBytes, Quantity } from '../endpoints/quantities'
import { hashesOf, type Sender, type Sent, type SentNote } from '../sent/sent'
import { type Found, type Probe, requiredNonce } from '../sent/settle'
import { operationEvents } from './logs'

const entryPointAbi = parseAbi([
  'function getNonce(address sender, uint192 key) view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
])

/**
 * The nonce of the next operation.
 *
 * 1. A nonce of {@link requiredNonce} comes first, also before a dapp's own.
 * 2. Otherwise the first lane's next nonce. If a followed operation waits there: a new lane, for slightly more gas.
 * 3. A dapp's nonce leaves no gap: no block could have the operation, and the next one would require the same nonce.
 *
 * @throws {Failure} as {@link requiredNonce}, INVALID_PARAMS for a dapp's nonce that is not free or not the next one
 */
export async function takeNonce(
  sender: Sender,
  sent: Sent,
  context: ChainContext,
  requestedNonce: bigint | undefined,
): Promise<bigint> {
  const ask = chainOf(context)
  const again = await requiredNonce(sender, sent, operationProbe(sender.account, context))
  if (requestedNonce !== undefined) {
    if ((again !== null && again !== requestedNonce) || (await isTakenHere(requestedNonce, sender, sent)))
      throw new Failure('INVALID_PARAMS', { message: 'Another operation of this account is on its way' })
    if (again === null && requestedNonce !== (await nonceOf(ask, sender.account, laneOf(requestedNonce))))
      throw new Failure('INVALID_PARAMS', { message: 'The nonce is not the next one of its key' })
    return requestedNonce
  }
  if (again !== null) return again
  const first = await nonceOf(ask, sender.account, 0n)
  if (!(await isTakenHere(first, sender, sent))) return first
  const [lane = 0n] = crypto.getRandomValues(new BigUint64Array(1))
  return nonceOf(ask, sender.account, lane)
}

/**
 * Requires that no other tab has used the nonce. Returns the notes that it was chosen by.
 * @throws {Failure} as {@link requiredNonce}, TRANSACTION_REPLACED if the nonce is taken
 */
export async function requireFreeNonce(
  nonce: bigint,
  sender: Sender,
  sent: Sent,
  context: ChainContext,
): Promise<readonly SentNote[]> {
  const known = await sent.of(sender)
  const again = await requiredNonce(sender, sent, operationProbe(sender.account, context))
  const isTaken =
    (again !== null && again !== nonce) ||
    (await isTakenHere(nonce, sender, sent)) ||
    (await nonceOf(chainOf(context), sender.account, laneOf(nonce))) > nonce
  if (isTaken) throw new Failure('TRANSACTION_REPLACED', { message: replacedMessage })
  return known
}

async function isTakenHere(nonce: bigint, sender: Sender, sent: Sent): Promise<boolean> {
  return (await sent.taken(sender)).some((taken) => taken.nonce === nonce)
}

const laneOf = (nonce: bigint) => nonce >> 64n

async function nonceOf(ask: Ask, sender: Address, lane: bigint): Promise<bigint> {
  return askEntryPoint(ask, encodeFunctionData({ abi: entryPointAbi, functionName: 'getNonce', args: [sender, lane] }))
}

/** In wei. */
export async function depositOf(ask: Ask, account: Address): Promise<bigint> {
  return askEntryPoint(ask, encodeFunctionData({ abi: entryPointAbi, functionName: 'balanceOf', args: [account] }))
}

/** `0x` without a contract. */
const EntryPointAnswer = HexBytes.check(z.refine((bytes) => bytes === '0x' || bytes.length === 66))

async function askEntryPoint(ask: Ask, data: Hex): Promise<bigint> {
  const answer = await ask('eth_call', [{ to: safeContracts.entryPoint, data }, 'latest'], EntryPointAnswer)
  if (answer === '0x') throw noSmartAccounts()
  return decodeAbiParameters([{ type: 'uint256' }], answer)[0]
}

const Receipt = z.nullish(z.object({ success: z.boolean(), receipt: z.object({ transactionHash: Hash }) }))
const ByHash = z.nullish(z.looseObject({}))
const Block = z.object({ timestamp: Quantity })

export function operationProbe(account: Address, context: ChainContext): Probe {
  const ask = chainOf(context)
  const bundler = bundlerOf(context)
  const nonces = new Map<bigint, Promise<bigint>>()
  return {
    next(nonce) {
      const lane = laneOf(nonce)
      const next = nonces.get(lane) ?? nonceOf(ask, account, lane)
      nonces.set(lane, next)
      return next
    },
    async find(hash): Promise<Found | null> {
      const receipt = await bundler('eth_getUserOperationReceipt', [hash], Receipt)
      if (receipt)
        return { kind: 'included', isGood: receipt.success, transactionHash: receipt.receipt.transactionHash }
      return (await bundler('eth_getUserOperationByHash', [hash], ByHash)) ? { kind: 'waiting' } : null
    },
    async findInBlocks(note) {
      const events = await operationEvents(account, BigInt(note.until ?? 0), context)
      const event = events.find(({ userOpHash }) => hashesOf(note).includes(userOpHash))
      if (event === undefined) return null
      const { userOpHash: hash, success: isGood, transactionHash } = event
      return { kind: 'included', isGood, transactionHash, hash }
    },
    now: async () => (await ask('eth_getBlockByNumber', ['latest', false], Block)).timestamp,
  }
}
