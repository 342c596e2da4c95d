import { exactUnits } from '@postern/chains/format'
import { TextButton } from '@postern/ui/button'
import { Fact } from '@postern/ui/facts'
import { useLocale, useText } from '@postern/ui/locales/text'
import { Notice } from '@postern/ui/notice'
import { plainText } from '@postern/ui/plain-text'
import { formatDecimal } from '../../view-kit/format/format-amount'
import { Pending } from '../../view-kit/loading/Pending'
import { useShortErrorMessage } from '../../view-kit/messages/short-error-message'
import { NetworkFact } from '../../view-kit/networks/NetworkFact'
import { RecipientName } from '../recipient/RecipientName'
import { useFeeText } from './fee-text'
import { useProblemText } from './problem-text'
import styles from './send.module.css'
import type { Reviewed } from './send-form'
import type { Transfer } from './use-transfer'

export function SentAmount({ token, amount }: Pick<Reviewed, 'token' | 'amount'>) {
  const locale = useLocale()
  const decimal = exactUnits(amount, token.decimals)
  return (
    <p className={styles.change} data-long={decimal.length > 18 || undefined}>
      <bdi>{`−\u202F${formatDecimal(decimal, locale)}\u00A0${plainText(token.symbol, 12)}`}</bdi>
    </p>
  )
}

type PartProps = { readonly reviewed: Reviewed; readonly transfer: Transfer }

export function CostFacts({ reviewed: { network, token }, transfer: { amount, quote, isUnreachable } }: PartProps) {
  const t = useText()
  const locale = useLocale()
  const { fee, maxFee, deposit } = useFeeText(network, quote)
  const isWaiting = quote === null && !isUnreachable
  const withheld = quote?.withheld ?? 0n
  const ofToken = (units: bigint) =>
    `${formatDecimal(exactUnits(units, token.decimals), locale)}\u00A0${plainText(token.symbol, 12)}`
  return (
    <>
      {withheld > 0n && (
        <>
          <Fact name={t('fact.withheld')}>
            <bdi>{ofToken(withheld)}</bdi>
          </Fact>
          <Fact name={t('fact.arrives')}>
            <bdi>{ofToken(amount - withheld)}</bdi>
          </Fact>
        </>
      )}
      <NetworkFact network={network} />
      <Fact name={t('approve.fee')}>{isWaiting ? <Pending /> : isUnreachable ? '–' : <bdi>{fee}</bdi>}</Fact>
      {maxFee !== null && (
        <Fact name={t('approve.feeAtMost')}>
          <bdi>{maxFee}</bdi>
        </Fact>
      )}
      {deposit !== null && (
        <Fact name={t('send.deposit')}>
          <bdi>{deposit}</bdi>
        </Fact>
      )}
    </>
  )
}

export function TransferNotices({ reviewed, transfer }: PartProps) {
  const t = useText()
  const errorMessage = useShortErrorMessage()
  const { network, account, token, to, name } = reviewed
  const { quote, isUnreachable, problem, failure, retry } = transfer
  const problemText = useProblemText(token, network)
  return (
    <>
      <RecipientName address={to} name={name} account={account} />
      {quote?.wouldFail === true && (
        <Notice tone="bad" title={t('approve.warning.wouldFail')} text={t('approve.warning.wouldFailText')} />
      )}
      {quote?.canBeTakenBack === true && (
        <Notice tone="info" title={t('send.canBeTakenBack', { symbol: plainText(token.symbol, 12) })} />
      )}
      {problem !== null && <Notice tone="bad" title={problemText(problem)} />}
      {isUnreachable && (
        <Notice tone="warn" title={t('send.unreachable')} text={t('send.unreachableText', { network: network.name })}>
          <TextButton onPress={retry}>{t('tryAgain')}</TextButton>
        </Notice>
      )}
      {failure !== null && <Notice tone="bad" title={errorMessage(failure)} text={t('send.nothingSent')} />}
    </>
  )
}
