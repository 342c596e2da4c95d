import { isRevocation } from '@postern/chains/amount'
import { isSameAddress } from '@postern/chains/same-address'
import { useText } from '@postern/ui/locales/text'
import { SiteSentence } from '@postern/ui/site-text'
import { lengthOf } from '@postern/ui/text-length'
import type { Amount, BalanceChange, Intent, IntentStep } from '../../intent/intent'
import { AmountText } from './amount-text'
import styles from './approval.module.css'
import { useStepTitle } from './step-title'
import { withIndex } from './with-index'

export function Headline({ intent, network }: { readonly intent: Intent; readonly network: string }) {
  const t = useText()
  const { changes, fee } = intent
  const title = useStepTitle()
  const { moreSteps = 0 } = intent
  const steps = tellingSteps(intent.steps)
  const taking = moreSteps > 0 ? undefined : takingStep(steps)
  const isSimulated = changes.kind === 'known' && changes.changes.length > 0
  const requested = taking === undefined ? sumOf(steps, intent.own ?? []) : changesOfStep(taking)
  const lines = isSimulated ? changes.changes : moreSteps > 0 ? [] : requested
  const isMixed = !isSimulated && taking === undefined && !movingOf(steps).every(({ kind }) => kind === 'transfer')
  const isAllowing = allowedBy(steps).length > 0
  // Bitcoin needs no simulation.
  const known = steps.some(({ kind }) => kind === 'outputs') ? 'approve.withFee' : 'approve.simulated'
  const caption = (site: (text: string) => string) =>
    changes.kind === 'known'
      ? t(changes.partial ? 'approve.notAll' : changes.changes.length > 0 ? known : 'approve.noChanges', {
          network: site(network),
        })
      : t(lines.length > 0 ? 'approve.notSimulated' : 'approve.notKnown')
  return (
    <div className={styles.headline}>
      {isMixed && <RequestedStep steps={steps} moreSteps={moreSteps} />}
      {lines.length > 0 ? (
        <ul className={styles.changes}>
          {lines.map((change, index) => (
            <li
              key={keyOf(change, index)}
              className={styles.change}
              data-direction={change.direction}
              data-long={lengthOf(charactersOf(change), 26, 40)}
            >
              <AmountText amount={change.amount} sign={change.direction === 'in' ? '+' : '−'} />
            </li>
          ))}
        </ul>
      ) : (
        !isMixed && <RequestedStep steps={steps} moreSteps={moreSteps} />
      )}
      {isSimulated && isAllowing && <Allowances steps={steps} isTitled />}
      {!isSimulated && lines.length > 0 && taking !== undefined && taking.kind !== 'transfer' && (
        <p className={styles.caption}>{title(taking)}</p>
      )}
      {(fee !== null || changes.kind === 'known') && (
        <p className={styles.caption}>
          <SiteSentence of={caption} />
        </p>
      )}
    </div>
  )
}

/** Omits a signature's fields that other steps show. */
function tellingSteps(steps: readonly IntentStep[]): readonly IntentStep[] {
  const telling = steps.filter((step) => !(step.kind === 'typedData' && step.isRead))
  return telling.length === 0 ? steps : telling
}

/** The gravest step first, because the others are not drawn. */
function RequestedStep({ steps, moreSteps }: { readonly steps: readonly IntentStep[]; readonly moreSteps: number }) {
  const t = useText()
  const title = useStepTitle()
  const first = gravestOf(steps)
  const count = steps.length - 1
  return (
    <>
      <p className={styles.change}>
        {first === undefined || moreSteps > 0
          ? t('approve.steps', { count: steps.length + moreSteps })
          : count === 0
            ? title(first)
            : t('approve.andSteps', { step: title(first), count })}
      </p>
      {moreSteps === 0 && <Allowances steps={steps} />}
    </>
  )
}

function Allowances({
  steps,
  isTitled = false,
}: {
  readonly steps: readonly IntentStep[]
  readonly isTitled?: boolean
}) {
  const t = useText()
  const title = useStepTitle()
  const allowed = allowedBy(steps)
  const first = gravestOf(allowed.map(({ step }) => step))
  const count = allowed.length - 1
  // The first of many could be decoys.
  const most = allowed.length > maxLines ? largestByToken(allowed) : allowed
  const shown = most.length > maxLines ? [] : most
  return (
    <>
      {isTitled && first !== undefined && (
        <p className={styles.caption}>
          {count === 0 ? title(first) : t('approve.andSteps', { step: title(first), count })}
        </p>
      )}
      {withIndex(shown).map(({ index, item: { step, amount } }) =>
        amount === undefined ? null : (
          <p key={index} className={styles.caption}>
            <AmountText amount={amount} sign={addsToUnknown(step) ? '+' : ''} />
          </p>
        ),
      )}
    </>
  )
}

function addsToUnknown(step: IntentStep): boolean {
  return step.kind === 'increase' && step.total === undefined
}

type Allowed = { readonly step: IntentStep; readonly amount?: Amount }

/** Gravest first. An order's permit allows only what the order gives. */
function allowedBy(all: readonly IntentStep[]): readonly Allowed[] {
  const isOrder = all.some(({ kind }) => kind === 'order')
  return byGravity(all).flatMap((step): readonly Allowed[] => {
    switch (step.kind) {
      case 'approve':
        return isRevocation(step.spender, step.amount) ? [] : [{ step, amount: step.amount }]
      case 'permit':
        return isOrder || isRevocation(step.spender, step.amount) ? [] : [{ step, amount: step.amount }]
      case 'increase':
        return [{ step, amount: step.total ?? step.amount }]
      case 'permission':
        return step.action === 'grant' ? [{ step, ...(step.amount && { amount: step.amount }) }] : []
      case 'approveAll':
        return step.granted ? [{ step }] : []
      default:
        return []
    }
  })
}

/** Each token's largest allowance; listed tokens first. */
function largestByToken(all: readonly Allowed[]): readonly Allowed[] {
  const largest = new Map<string, Allowed>()
  for (const [index, allowed] of all.entries()) {
    const { step, amount } = allowed
    // An increase, or a line without an amount, has an unknown total.
    const key = amount?.token === undefined || addsToUnknown(step) ? `${index}` : amount.token.toLowerCase()
    const before = largest.get(key)?.amount
    if (before === undefined || (amount !== undefined && isLarger(amount, before))) largest.set(key, allowed)
  }
  const isListed = ({ amount }: Allowed) => amount?.token !== undefined && amount.listed !== undefined
  return [...largest.values()].toSorted((one, other) => Number(isListed(other)) - Number(isListed(one)))
}

function isLarger(one: Amount, other: Amount): boolean {
  if (one.unlimited !== other.unlimited) return one.unlimited === true
  return BigInt(one.raw) > BigInt(other.raw)
}

function byGravity(steps: readonly IntentStep[]): readonly IntentStep[] {
  return steps.toSorted((one, other) => gravityOf(other) - gravityOf(one))
}

function gravestOf(steps: readonly IntentStep[]): IntentStep | undefined {
  return byGravity(steps)[0]
}

/** How much a step can take beyond the headline's amounts. Unread steps have a warning. */
function gravityOf(step: IntentStep): number {
  switch (step.kind) {
    case 'call':
      return step.controllers !== undefined || step.mayGiveControl ? 8 : step.isPlain ? 1 : 4
    case 'approveAll':
      return step.granted ? 7 : 1
    case 'permission':
      return step.action === 'grant' ? (step.amount?.unlimited ? 7 : 6) : 1
    case 'approve':
    case 'permit':
      return isRevocation(step.spender, step.amount) ? 1 : step.amount.unlimited ? 7 : 5
    case 'increase':
      return step.total?.unlimited ? 7 : 5
    case 'typedData':
      return step.isRead ? 1 : 4
    case 'instruction':
      return step.isHarmless ? 0 : 4
    case 'create':
    case 'message':
      return 4
    case 'order':
    case 'transfer':
    case 'outputs':
      return 3
    case 'swap':
    case 'signIn':
    case 'user':
    case 'cancel':
      return 2
    case 'deploy':
      return 0
  }
}

/** The only step that can take something, besides an order's permit. */
function takingStep(steps: readonly IntentStep[]): IntentStep | undefined {
  const isOrder = steps.some(({ kind }) => kind === 'order')
  const [step, ...others] = movingOf(steps).filter(({ kind }) => !(isOrder && kind === 'permit'))
  return others.length === 0 ? step : undefined
}

function changesOfStep(step: IntentStep): readonly BalanceChange[] {
  return takenBy(step).map((amount) => ({ direction: 'out', amount }))
}

function takenBy(step: IntentStep): readonly Amount[] {
  switch (step.kind) {
    case 'transfer':
      return [step.amount]
    case 'swap':
      return [step.pay]
    case 'order':
      return step.gives
    case 'outputs':
      return step.gives === undefined ? [] : [step.gives]
    case 'call':
    case 'create':
      return /^0*$/.test(step.value.raw) ? [] : [step.value]
    default:
      return []
  }
}

const maxLines = 6

/** Sums by currency and item; empty above {@link maxLines}. A transfer back to the owner is part of another step. */
function sumOf(all: readonly IntentStep[], own: readonly string[]): readonly BalanceChange[] {
  const isBack = (step: IntentStep) => step.kind === 'transfer' && own.some((one) => isSameAddress(one, step.to))
  const sums = new Map<string, Amount>()
  for (const amount of movingOf(all).flatMap((step) => (isBack(step) ? [] : takenBy(step)))) {
    const key = `${amount.token?.toLowerCase()} ${amount.tokenId} ${amount.maybeItem && amount.raw} ${amount.anyItem} ${amount.everything}`
    const { raw, ...of } = sums.get(key) ?? { ...amount, raw: '0' }
    sums.set(key, { ...of, ...(amount.unlimited && { unlimited: true }), raw: `${BigInt(raw) + BigInt(amount.raw)}` })
  }
  return sums.size > maxLines ? [] : [...sums.values()].map((amount) => ({ direction: 'out', amount }))
}

function movingOf(steps: readonly IntentStep[]): readonly IntentStep[] {
  return steps.filter((step) => step.kind !== 'deploy' && !(step.kind === 'instruction' && step.isHarmless))
}

function keyOf({ direction, amount }: BalanceChange, index: number): string {
  return `${index} ${direction} ${amount.token ?? ''} ${amount.tokenId ?? ''} ${amount.raw}`
}

/** Approximate, without separators. */
function charactersOf({ amount }: BalanceChange): number {
  const ofItem = amount.tokenId === undefined ? 0 : amount.tokenId.length + 4
  return Math.max(amount.raw.length, amount.decimals ?? 0) + (amount.symbol?.length ?? 0) + ofItem
}
