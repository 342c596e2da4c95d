import { splitDecimal } from '@postern/chains/text'
import { TextButton } from '@postern/ui/button'
import { useLocale, useText } from '@postern/ui/locales/text'
import { lengthOf } from '@postern/ui/text-length'
import { Unseen } from '@postern/ui/unseen'
import { useActions, useSnapshot } from '../../view-kit/host-context'
import styles from './BalanceLine.module.css'

type BalanceLineProps = {
  /** The balance of a test network is 0.00 (spec §9); the list of tokens has the real amounts. */
  readonly isTest?: boolean
}

/** A long balance puts the currency on its own line. */
export function BalanceLine({ isTest = false }: BalanceLineProps) {
  const t = useText()
  const locale = useLocale()
  const { refreshBalance } = useActions()
  const balance = useSnapshot((snapshot) => snapshot.nativeBalance)
  switch (balance.kind) {
    case 'loading':
      return (
        <p className={styles.balance} aria-busy="true">
          <span className={styles.skeleton} />
          <Unseen>{t('account.balanceLoading')}</Unseen>
        </p>
      )
    case 'failed':
      return (
        <p className={styles.failed} role="status">
          <span>{t('account.balanceFailed')}</span>
          <TextButton onPress={refreshBalance}>{t('tryAgain')}</TextButton>
        </p>
      )
    case 'ready': {
      const { whole, fraction } = splitDecimal(balance.formatted, locale)
      return (
        <>
          <p className={styles.balance} data-length={lengthOf(whole.length + fraction.length, 10, 18)}>
            <Unseen>{t('account.balance')} </Unseen>
            <bdi className={styles.amount}>
              {whole}
              <span className={styles.fraction}>{fraction}</span>
            </bdi>
            <span className={styles.symbol} title={balance.symbol}>
              {balance.symbol}
            </span>
          </p>
          {isTest && <p className={styles.test}>{t('account.testNetwork')}</p>}
        </>
      )
    }
  }
}
