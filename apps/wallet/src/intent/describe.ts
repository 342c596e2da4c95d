import type { ChainClient } from '@postern/chains/chain-client'
import { countsItems, hasCode, tokenFacts } from '@postern/chains/eip155/contract'
import type { CallContext } from '@postern/chains/eip155/decode-call'
import { isSameAddress } from '@postern/chains/same-address'
import type { ApprovalRequest, ApprovalSubject, EvmCall } from '@postern/protocol'
import { base64 } from '@scure/base'
import { compareAllowances } from '../chains/eip155/intent/allowances'
import { gasPrice, newApprovals, simulate } from '../chains/eip155/intent/chain'
import { type EvmSubject, feeOf, isDear, isFarAboveChain, isSponsored, replacedBy } from '../chains/eip155/intent/fee'
import { readCalls } from '../chains/eip155/intent/nested-calls'
import { readGrant, readRevoke } from '../chains/eip155/intent/permissions'
import { readTypedData } from '../chains/eip155/intent/typed-data'
import { exchangesOf, routersOf } from '../chains/eip155/intent/verifiers'
import { isContradicted, withStated } from './contradicted'
import { type Decoded, highFee, notDecoded, nothing, unknownChanges } from './decoded'
import type { Amount, DescribeApproval, DescribeContext, Intent, IntentStep, Warning } from './intent'
import { bytesOf, readMessage } from './messages'
import { minimumWarnings } from './minimum'
import { amountsOf, namedBy, withAmounts } from './named-amounts'
import { approvalWarnings, isCall, orderWarnings, verifierOf, warningsOf } from './warnings'

/**
 * 1. The first intent needs no chain, and lacks only names, code and simulation.
 * 2. It is decoded only from `subject`, the bytes to sign; never from the dapp's description.
 * 3. Undecodable bytes get `notDecoded`, and the raw view shows them in full.
 * 4. If the chain does not respond, the first intent stays.
 */
export const describeApproval: DescribeApproval = async (request, context, onIntent) => {
  const decoded = await decode(request, context)
  const first = intentOf(request, decoded, context)
  onIntent(first)
  try {
    const simulation = await askChain(request, decoded, context)
    if (!context.signal.aborted) onIntent(intentOf(request, simulation, context))
  } catch {
    // The first intent stays.
  }
}

function intentOf(
  request: ApprovalRequest,
  { steps, fee, changes, warnings }: Decoded,
  context: DescribeContext,
): Intent {
  const named = namedBy(context, request.networkId)
  const shown = steps.map((step) => withAmounts(step, named))
  return {
    ...shortened(
      shown,
      orderWarnings([
        ...warnings,
        ...warningsOf(request, shown, context),
        ...minimumWarnings(shown, changes, { own: context.own, networkId: request.networkId }),
      ]),
    ),
    fee,
    changes:
      changes.kind === 'unknown' || isContradicted(shown, changes.changes, context.own)
        ? unknownChanges
        : namedChanges(withStated(shown, changes, context.own), named),
    own: context.own,
    raw: rawOf(request.subject),
  }
}

function namedChanges(
  { changes, ...known }: Extract<Intent['changes'], { kind: 'known' }>,
  named: (amount: Amount) => Amount,
): Intent['changes'] {
  return { ...known, changes: changes.map((one) => ({ ...one, amount: named(one.amount) })) }
}

/** More than a person can read. */
const maxSteps = 64
const maxWarnings = 24

function shortened(
  steps: readonly IntentStep[],
  warnings: readonly Warning[],
): Pick<Intent, 'steps' | 'warnings' | 'moreSteps'> {
  const moreSteps = Math.max(0, steps.length - maxSteps)
  const more = moreSteps + Math.max(0, warnings.length - maxWarnings)
  if (more === 0) return { steps, warnings }
  const tooLong: Warning = { kind: 'tooLong', more }
  return {
    steps: steps.slice(0, maxSteps),
    warnings: orderWarnings([...warnings.slice(0, maxWarnings), tooLong]),
    ...(moreSteps > 0 && { moreSteps }),
  }
}

async function decode({ subject, networkId }: ApprovalRequest, context: DescribeContext): Promise<Decoded> {
  const native = context.nativeCurrency
  const calling = { native, own: context.own, ...exchangesOf(networkId, context.routers) }
  switch (subject.kind) {
    case 'eip155.message':
      return { ...nothing, steps: [readMessage(bytesOf(subject.message))] }
    case 'solana.message':
      return { ...nothing, steps: [readMessage(base64.decode(subject.message))] }
    case 'bip122.message':
      return { ...nothing, steps: [readMessage(new TextEncoder().encode(subject.message))] }
    case 'user':
      return { ...nothing, steps: [subject] }
    case 'unprepared':
      return { ...nothing, steps: [] }
    case 'eip155.typedData': {
      const steps = readTypedData(subject.json, { owner: subject.address, networkId, ...calling })
      return steps === null ? notDecoded(subject.json) : { ...nothing, steps }
    }
    case 'eip155.transaction':
    case 'eip155.transactions':
    case 'eip155.userOperation': {
      const steps = stepsOf(subject, { ...calling, isSmart: subject.kind === 'eip155.userOperation' })
      const deploys = subject.kind === 'eip155.userOperation' && subject.deploys
      return evm(deploys ? [{ kind: 'deploy' }, ...steps] : steps, subject, native)
    }
    case 'eip155.permissions': {
      const steps =
        subject.action === 'grant'
          ? readGrant(subject, { from: subject.from, ...calling, isSmart: true })
          : readRevoke(subject)
      return evm(steps, subject, native)
    }
    case 'solana.transactions': {
      const { decodeSolana } = await import('../chains/solana/intent/describe')
      return decodeSolana(subject, native)
    }
    case 'bip122.psbt': {
      const { decodeBitcoin } = await import('../chains/bip122/intent/describe')
      return decodeBitcoin(subject, networkId, native)
    }
  }
}

function stepsOf(subject: EvmSubject, context: Omit<CallContext, 'from'>): readonly IntentStep[] {
  const { from } = subject
  const read = (calls: readonly EvmCall[]) => calls.flatMap((call) => readCalls(call, { from, ...context }))
  const isEmpty = ({ to = '', value, data }: EvmCall) =>
    isSameAddress(to, from) && BigInt(value) === 0n && data === '0x'
  const calls = callsOf(subject)
  const replaces = replacedBy(subject)
  if (replaces?.kind !== 'cancel' || !calls.every(isEmpty)) return read(calls)
  return [{ kind: 'cancel', cancelled: read('call' in replaces ? [replaces.call] : replaces.calls) }]
}

/** Each takes two calls. Other tokens are shown by address. */
const maxNamedTokens = 32

const maxCheckedContracts = 32

function callsOf(subject: EvmSubject) {
  if (subject.kind === 'eip155.transaction') return [subject.call]
  return subject.kind === 'eip155.transactions' ? subject.transactions.map(({ call }) => call) : subject.calls
}

function evm(steps: readonly IntentStep[], subject: EvmSubject, native: DescribeContext['nativeCurrency']): Decoded {
  const fee = { amount: { raw: `${feeOf(subject)}`, ...native }, sponsored: isSponsored(subject) }
  const paymaster = subject.kind === 'eip155.userOperation' ? subject.pagePaymaster : undefined
  const warnings: readonly Warning[] = [
    ...(isDear(subject, sentBy(subject), native.symbol) ? [highFee] : []),
    ...replacementWarnings(subject),
    ...(paymaster === undefined ? [] : [{ kind: 'pagePaymaster' as const, paymaster }]),
  ]
  return { ...nothing, steps, fee, warnings }
}

function sentBy(subject: EvmSubject): bigint {
  return callsOf(subject).reduce((sum, call) => sum + BigInt(call.value), 0n)
}

function replacementWarnings(subject: EvmSubject): readonly Warning[] {
  const replaces = replacedBy(subject)
  if (replaces === undefined) return []
  const wasPaid = 'paymaster' in replaces && replaces.paymaster !== undefined
  const isSponsoredNow = isSponsored(subject)
  const sponsored = replaces.kind === 'cancel' && (wasPaid || isSponsoredNow)
  return [
    { kind: replaces.kind, ...(sponsored && { sponsored }) },
    ...(wasPaid && !isSponsoredNow ? [{ kind: 'ownFee' as const }] : []),
  ]
}

async function askChain(request: ApprovalRequest, decoded: Decoded, context: DescribeContext): Promise<Decoded> {
  const { subject, networkId } = request
  const client = context.clientOf(networkId)
  const { signal } = context
  if (subject.kind === 'solana.transactions') {
    const { askSolana } = await import('../chains/solana/intent/describe')
    return askSolana(request, subject, decoded, context)
  }
  if (subject.kind === 'bip122.psbt') {
    const { askBitcoin } = await import('../chains/bip122/intent/describe')
    return askBitcoin(subject, networkId, context)
  }
  if (subject.kind === 'bip122.message' || subject.kind === 'solana.message') return decoded
  if (subject.kind === 'user' || subject.kind === 'unprepared') return decoded

  const isSent =
    subject.kind === 'eip155.transaction' ||
    subject.kind === 'eip155.transactions' ||
    subject.kind === 'eip155.userOperation' ||
    subject.kind === 'eip155.permissions'
  const [simulation, price] = isSent
    ? await Promise.all([
        simulate(client, subject.from, callsOf(subject).map(withoutUndefined), context.nativeCurrency, signal),
        isSponsored(subject) ? null : gasPrice(client, signal),
      ])
    : [null, null]
  const simulated = simulation?.kind === 'known' ? simulation : null
  const changes = simulated?.changes ?? null
  const approvals = isSent ? await newApprovals(client, subject.from, simulated?.approvals ?? [], signal) : []
  const isAll = simulated !== null && !simulated.isPartial && !decoded.steps.some(isCall)
  const tokens = new Set(
    [...decoded.steps.flatMap(amountsOf), ...(changes ?? []).map(({ amount }) => amount)].flatMap(
      ({ token, tokenId }) => (token === undefined || tokenId !== undefined ? [] : [token.toLowerCase()]),
    ),
  )
  const facts = new Map(
    await Promise.all(
      [...tokens]
        .slice(0, maxNamedTokens)
        .map(async (token) => [token, await tokenFacts(client, token, signal)] as const),
    ),
  )
  const complete = (amount: Amount): Amount =>
    amount.token === undefined ? amount : { ...facts.get(amount.token.toLowerCase()), ...amount }
  const named = namedBy(context, networkId)
  const completed = await Promise.all(
    decoded.steps.map(async (step) => withKnownAmount(withAmounts(step, complete), named, client, signal)),
  )
  const { steps, warnings: ofAllowances } = await compareAllowances(
    client,
    ownerIn(completed) ?? ('from' in subject ? subject.from : subject.address),
    completed,
    { routers: routersOf(networkId, context.routers), own: context.own, signal },
  )
  const isHigh = isSent && price !== null && isFarAboveChain(subject, { price, gasUsed: simulated?.gasUsed ?? null })
  const called = new Set(decoded.steps.flatMap((step) => (step.kind === 'call' ? [step.contract] : [])))
  const contracts = [...called].slice(0, maxCheckedContracts)
  const codeless = (
    await Promise.all(contracts.map(async (one) => ((await hasCode(client, one, signal)) === false ? [one] : [])))
  ).flat()
  return {
    ...decoded,
    steps,
    changes:
      changes === null
        ? unknownChanges
        : {
            kind: 'known',
            changes: changes.map((one) => ({ ...one, amount: complete(one.amount) })),
            ...(!isAll && { partial: true }),
          },
    warnings: [
      ...decoded.warnings,
      ...ofAllowances,
      ...(simulation?.kind === 'fails'
        ? [{ kind: 'wouldFail' as const, ...(simulation.reason !== undefined && { reason: simulation.reason }) }]
        : []),
      ...approvalWarnings(approvals, steps),
      ...(isHigh ? [highFee] : []),
      ...codeless.map((contract) => ({ kind: 'unknownContract' as const, contract })),
    ],
  }
}

/** No item has this number, and no amount is larger. */
const maxRaw = `${2n ** 256n - 1n}`

/**
 * The step with its amount or item, if the token says which. Permit2 holds amounts only. A listed token, and the
 * largest number, are amounts, whatever the chain says.
 */
async function withKnownAmount(
  step: IntentStep,
  named: (amount: Amount) => Amount,
  client: ChainClient,
  signal: AbortSignal,
): Promise<IntentStep> {
  if (step.kind !== 'transfer' && step.kind !== 'approve' && step.kind !== 'permission') return step
  if (step.amount?.maybeItem === undefined) return step
  const { maybeItem: _, unlimited, ...amount } = step.amount
  const { token, raw, symbol } = amount
  if (token === undefined) return step
  const isAmount = raw === maxRaw || named(amount).listed === true
  const isItem = isAmount ? false : await countsItems(client, token, BigInt(raw), amount, signal)
  if (isItem === false) return { ...step, amount: { ...amount, ...(unlimited && { unlimited }) } }
  const isDirect = step.kind === 'transfer' || (step.kind === 'approve' && step.contract === undefined)
  if (isItem === null || !isDirect) return step
  return { ...step, amount: { raw: '1', token, tokenId: raw, decimals: 0, ...(symbol !== undefined && { symbol }) } }
}

/** The Safe of a SafeTx: the allowances are its own, not the signer's. */
function ownerIn(steps: readonly IntentStep[]): string | undefined {
  const [safe] = steps.flatMap((step) =>
    step.kind === 'typedData' && step.primaryType === 'SafeTx' ? (verifierOf(step.domain) ?? []) : [],
  )
  return safe
}

function withoutUndefined({
  to,
  value,
  data,
}: {
  readonly to?: string | undefined
  readonly value: string
  readonly data: string
}) {
  return { value, data, ...(to !== undefined && { to }) }
}

function rawOf(subject: ApprovalSubject): Intent['raw'] {
  if (subject.kind === 'user' || subject.kind === 'unprepared') return []
  return Object.entries(subject)
    .filter(([name, value]) => name !== 'kind' && value !== undefined)
    .map(([name, value]) => ({
      name,
      text: typeof value === 'string' ? value : JSON.stringify(value, null, 2),
    }))
}
