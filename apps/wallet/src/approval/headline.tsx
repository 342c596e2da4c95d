import { isRevocation } from '@postern/chains/revocation'
import { useText } from '@postern/ui/locales/text'
import { SiteSentence } from '@postern/ui/site-text'
import { lengthOf } from '@postern/ui/text-length'
import type { Amount, BalanceChange, Intent, IntentStep } from '../intent/intent'
import { AmountText } from './amount-text'
import styles from './approval.module.css'
import { useStepTitle } from './step-title'
import { withIndex } from './with-index'

/** Simulated amounts, else the requested action. */
export function Headline({ intent, network }: { readonly intent: Intent; readonly network: string }) {
  const t = useText()
  const { changes, fee } = intent
  const title = useStepTitle()
  const steps = tellingSteps(intent.steps)
  const taking = takingStep(steps)
  const isSimulated = changes.kind === 'known' && changes.changes.length > 0
  const lines = isSimulated ? changes.changes : taking === undefined ? sumOf(steps) : changesOfStep(taking)
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
        <RequestedStep steps={steps} />
      )}
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

/** Without the fields of a signature that the other steps tell. */
function tellingSteps(steps: readonly IntentStep[]): readonly IntentStep[] {
  const telling = steps.filter((step) => !(step.kind === 'typedData' && step.isRead))
  return telling.length === 0 ? steps : telling
}

function RequestedStep({ steps }: { readonly steps: readonly IntentStep[] }) {
  const t = useText()
  const title = useStepTitle()
  const [only, ...others] = steps
  return (
    <>
      <p className={styles.change}>
        {only === undefined || others.length > 0 ? t('approve.steps', { count: steps.length }) : title(only)}
      </p>
      {withIndex(allowedBy(steps)).map(({ index, item }) => (
        <p key={index} className={styles.caption}>
          <AmountText amount={item} />
        </p>
      ))}
    </>
  )
}

/** What each step allows; nothing if one does anything else, or takes an allowance back, or if there are too many. */
function allowedBy(all: readonly IntentStep[]): readonly Amount[] {
  const steps = movingOf(all)
  const amounts = steps.flatMap((step) => {
    switch (step.kind) {
      case 'approve':
      case 'permit':
        return isRevocation(step.spender, step.amount) ? [] : [step.amount]
      case 'increase':
        return [step.total ?? step.amount]
      case 'permission':
        return step.action === 'grant' && step.amount !== undefined ? [step.amount] : []
      default:
        return []
    }
  })
  return amounts.length < steps.length || amounts.length > maxLines ? [] : amounts
}

/** The only step that can take something: the permit of an order lets just the order take what it gives. */
function takingStep(steps: readonly IntentStep[]): IntentStep | undefined {
  const isOrder = steps.some(({ kind }) => kind === 'order')
  const [step, ...others] = movingOf(steps).filter(({ kind }) => !(isOrder && kind === 'permit'))
  return others.length === 0 ? step : undefined
}

/** What a step takes by its own words. What it promises in return is not counted. */
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

/** A person reads few lines. */
const maxLines = 6

/** Of several transfers, by currency and item; nothing if there are other steps, or more lines than a person reads. */
function sumOf(all: readonly IntentStep[]): readonly BalanceChange[] {
  const steps = movingOf(all)
  const amounts = steps.flatMap((step) => (step.kind === 'transfer' && !step.amount.everything ? [step.amount] : []))
  if (amounts.length < steps.length) return []
  const sums = new Map<string, Amount>()
  for (const amount of amounts) {
    const key = `${amount.token?.toLowerCase()} ${amount.tokenId} ${amount.maybeItem && amount.raw}`
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
