import { exactUnits } from '@postern/chains/format'
import { CloseIcon } from '@postern/ui/icons'
import { useLocale, useText } from '@postern/ui/locales/text'
import { Spinner } from '@postern/ui/spinner'
import { Unseen } from '@postern/ui/unseen'
import { CheckIcon } from '@postern/ui/view-icons'
import { formatDecimal } from '../../view-kit/format/format-amount'
import type { SwapOrder } from './plan'
import styles from './swap.module.css'
import type { Run, Step } from './swap-flow'

type State = 'open' | 'running' | 'done' | 'failed'

type StepsProps = {
  readonly order: SwapOrder
  readonly run: Run
  readonly approved: boolean
  readonly together: boolean
  readonly takesBack: boolean
}

export function Steps({ order: { from, amount }, run, approved, together, takesBack }: StepsProps) {
  const t = useText()
  const locale = useLocale()
  const exact = `${formatDecimal(exactUnits(amount, from.decimals), locale)}\u00A0${from.symbol}`
  return (
    <ol className={styles.steps} aria-label={t(together ? 'swap.together' : 'swap.steps')}>
      <StepLine number={1} state={stateOf('approve', run, approved)} text={t('swap.allow', { amount: exact })} />
      <StepLine number={2} state={stateOf('swap', run, approved)} text={t('swap.title')} />
      {takesBack && <li className={styles.together}>{t('swap.takesBack', { token: from.symbol })}</li>}
      {together && <li className={styles.together}>{t('swap.together')}</li>}
    </ol>
  )
}

function StepLine({ number, state, text }: { readonly number: number; readonly state: State; readonly text: string }) {
  const t = useText()
  return (
    <li className={styles.step} data-state={state} aria-current={state === 'running' ? 'step' : undefined}>
      <span className={styles.mark} aria-hidden="true">
        {state === 'running' ? (
          <Spinner />
        ) : state === 'done' ? (
          <CheckIcon small />
        ) : state === 'failed' ? (
          <CloseIcon small />
        ) : (
          number
        )}
      </span>
      <bdi>{text}</bdi>
      {(state === 'done' || state === 'failed') && (
        <Unseen>, {t(state === 'done' ? 'swap.stepDone' : 'swap.stepFailed')}</Unseen>
      )}
    </li>
  )
}

function stateOf(step: Step, run: Run, approved: boolean): State {
  if (step === 'approve' && approved) return 'done'
  if (run.kind === 'waiting' && (run.step === step || run.together)) return 'running'
  if (run.kind === 'stopped' && run.step === step) return 'failed'
  return run.kind === 'sent' ? 'done' : 'open'
}
