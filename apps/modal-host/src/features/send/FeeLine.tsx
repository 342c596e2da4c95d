import type { Network } from '@postern/protocol'
import { Fact, Facts } from '@postern/ui/facts'
import { type TextKey, useText } from '@postern/ui/locales/text'
import { Tabs } from '@postern/ui/tabs'
import { Pending } from '../../view-kit/loading/Pending'
import { useFeeText } from './fee-text'
import styles from './send.module.css'
import type { FeeChoice, Quote } from './senders/sender'

const speeds: readonly { readonly id: FeeChoice; readonly label: TextKey }[] = [
  { id: 'slow', label: 'send.speed.slow' },
  { id: 'normal', label: 'send.speed.normal' },
  { id: 'fast', label: 'send.speed.fast' },
]

type FeeLineProps = {
  readonly network: Network
  readonly quote: Quote | null
  readonly choice: FeeChoice
  readonly onChoose: (choice: FeeChoice) => void
}

export function FeeLine({ network, quote, choice, onChoose }: FeeLineProps) {
  const t = useText()
  const { fee, deposit, wait } = useFeeText(network, quote)
  const facts = (
    <Facts label={t('send.cost')}>
      <Fact name={t('approve.fee')}>{quote === null ? <Pending /> : <bdi>{fee}</bdi>}</Fact>
      {deposit !== null && (
        <Fact name={t('send.deposit')}>
          <bdi>{deposit}</bdi>
        </Fact>
      )}
    </Facts>
  )
  if (quote === null || quote.rates === null) return facts
  return (
    <div className={styles.choice}>
      <Tabs
        label={t('send.speed')}
        tabs={speeds.map(({ id, label }) => ({ id, label: t(label) }))}
        selected={choice}
        onSelect={onChoose}
      >
        {facts}
      </Tabs>
      <p className={styles.note}>{wait(choice)}</p>
    </div>
  )
}
