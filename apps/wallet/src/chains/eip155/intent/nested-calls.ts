/** Reads calls that contain calls. Each inner call is read with all its warnings. */
import { type CallContext, readCall } from '@postern/chains/eip155/decode-call'
import { safeOperations } from '@postern/chains/eip155/safe-contracts'
import { isSameAddress } from '@postern/chains/same-address'
import type { EvmCall } from '@postern/protocol'
import type { IntentStep } from '../../../intent/intent'
import { type InnerCall, openCall } from './open-call'
import { isMultiSend, isSwapRouter02 } from './verifiers'

type Step = Extract<IntentStep, { kind: 'call' }>

/** Deeper calls are not read. */
const maxDepth = 8

/**
 * The steps of a call, with those of all calls inside.
 *
 * 1. The outer call stays unread: its contract may do anything. For a router's `multicall` of only swaps, the swaps say
 *    it all.
 * 2. Inner calls count as the owner's, also if another contract makes them: it may have an allowance of the owner.
 * 3. What the inner calls send to others is deducted from the outer call's value. That the rest comes back to the owner
 *    is only a promise.
 * 4. Bytes that do not decode exactly are not opened.
 */
export function readCalls(call: EvmCall, context: CallContext, depth = 0): readonly IntentStep[] {
  const steps = readCall(call, context)
  const [outer, ...others] = steps
  const { to } = call
  if (to === undefined || outer?.kind !== 'call' || others.length > 0 || depth >= maxDepth) return steps
  const opened = openCall(to, call.data, context)
  if (opened === null) return steps
  const inner = opened.isShared
    ? readShared(opened.calls, call, context, depth)
    : opened.calls.flatMap((one) => readInner(one, callerOf(to, context), depth)).map((step) => ownedBy(to, step))
  const rest = BigInt(call.value) - nativeOf(inner, context)
  const isTold = isRouter(to, context) && opened.isShared && rest <= 0n && inner.every(({ kind }) => kind === 'swap')
  return isTold ? inner : [{ ...outer, value: { ...outer.value, raw: `${rest > 0n ? rest : 0n}` } }, ...inner]
}

/**
 * The other contract's code runs as the caller, and can do anything with it. Safe's MultiSend only makes the calls
 * inside.
 */
export function readDelegateCall(call: EvmCall, context: CallContext, depth = 0): readonly IntentStep[] {
  const { to = '', value, data } = call
  const opened = isMultiSend(to) && depth < maxDepth ? openCall(context.from, data, context) : null
  if (opened !== null && !opened.isShared && opened.calls.length > 0)
    return opened.calls.flatMap((one) => readInner(one, context, depth))
  const step: Step = {
    kind: 'call',
    contract: to,
    fields: [{ name: 'data', value: data, type: 'bytes' }],
    value: { raw: value, ...context.native },
    controllers: [to],
  }
  return [step]
}

function readInner({ operation, ...call }: InnerCall, context: CallContext, depth: number): readonly IntentStep[] {
  const read = operation === safeOperations.delegateCall ? readDelegateCall : readCalls
  return read(call, context, depth + 1)
}

function callerOf(to: string, { from, own = [], ...context }: CallContext): CallContext {
  return { ...context, from: to, own: [...own, from], isSmart: true }
}

/** The calls share the value. A router spends it once, for a swap. */
function readShared(
  calls: readonly InnerCall[],
  { value }: EvmCall,
  context: CallContext,
  depth: number,
): readonly IntentStep[] {
  let isSpent = value === '0'
  return calls.flatMap((call) => {
    const [paid, ...others] = isSpent ? [] : readCall({ ...call, value }, context)
    const pays = paid?.kind === 'swap' && paid.pay.token === undefined && others.length === 0
    if (pays) isSpent = true
    const steps = pays ? [paid] : readCalls(call, context, depth + 1)
    return steps.map((step) => (step.kind === 'swap' ? finished(step, call, context) : step))
  })
}

/**
 * 1. SwapRouter02 pays the caller for the recipient 1, and itself for 2. At any other router, 1 is an ordinary address.
 * 2. What a router pays itself, also for the recipient 0 or its own address, a later call takes out.
 *
 * Sources: https://github.com/Uniswap/swap-router-contracts, V3SwapRouter; https://github.com/Uniswap/v3-periphery,
 * SwapRouter
 */
function finished(step: Extract<IntentStep, { kind: 'swap' }>, call: InnerCall, context: CallContext): IntentStep {
  const number = BigInt(step.recipient)
  if (number === 1n && isSwapRouter02(step.contract)) return { ...step, recipient: context.from }
  if (number !== 0n && number !== 2n && !isSameAddress(step.recipient, step.contract)) return step
  const fields = [{ name: 'data', value: call.data, type: 'bytes' }]
  const value = step.pay.token === undefined ? step.pay : { raw: '0', ...context.native }
  return { kind: 'call', contract: step.contract, fields, value }
}

/** An allowance belongs to the account that makes the call. */
function ownedBy(owner: string, step: IntentStep): IntentStep {
  return step.kind === 'approve' || step.kind === 'increase' ? { owner, ...step } : step
}

function nativeOf(steps: readonly IntentStep[], { from, own = [] }: CallContext): bigint {
  return steps.reduce((sum, step) => {
    if (step.kind === 'transfer' && [from, ...own].some((one) => isSameAddress(one, step.to))) return sum
    const amount =
      step.kind === 'transfer' ? step.amount : step.kind === 'swap' ? step.pay : 'value' in step ? step.value : null
    return amount === null || amount.token !== undefined ? sum : sum + BigInt(amount.raw)
  }, 0n)
}

function isRouter(to: string, { routers = [] }: CallContext): boolean {
  return routers.some((one) => isSameAddress(one, to))
}
