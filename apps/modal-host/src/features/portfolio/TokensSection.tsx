import type { Network } from '@postern/protocol'
import { QueryClientProvider } from '@tanstack/react-query'
import { useId } from 'react'
import { useText } from '../../locales/text'
import { TextButton } from '../../ui/button'
import { CoinsIcon, ForwardIcon } from '../../ui/icons-later'
import { Row, RowGlyph, SkeletonRow } from '../../ui/row'
import { Unseen } from '../../ui/unseen'
import { useHost } from '../../views/host-context'
import { useNavigation } from '../../views/navigation'
import { useSecondsLeft } from '../../views/use-seconds-left'
import { queryClientOf } from '../query-client'
import { TokenRow } from './TokenRow'
import styles from './tokens.module.css'
import { type ShownPortfolio, usePortfolio } from './use-portfolio'

/** Rows that Account shows; the others are a step away. */
const shownTokens = 3

type Account = { readonly network: Network; readonly address: string }

/** The tokens of the account that is shown, on its network. */
export default function TokensSection(account: Account) {
  return (
    <QueryClientProvider client={queryClientOf(useHost())}>
      <Section {...account} />
    </QueryClientProvider>
  )
}

function Section({ network, address }: Account) {
  const t = useText()
  const titleId = useId()
  const shown = usePortfolio(network, address)
  return (
    <section className={styles.tokens} aria-labelledby={titleId} aria-busy={shown.status === 'loading' || undefined}>
      <h2 id={titleId} className={styles.caption}>
        {t('tokens.title')}
      </h2>
      <Body shown={shown} />
    </section>
  )
}

function Body({ shown }: { readonly shown: ShownPortfolio }) {
  const t = useText()
  const { go } = useNavigation()
  const { status, portfolio } = shown
  if (status === 'failed') return <Failed shown={shown} />
  if (portfolio === null)
    return (
      <div>
        <SkeletonRow />
        <Unseen>{t('tokens.loading')}</Unseen>
      </div>
    )
  const { balances, partial } = portfolio
  if (balances.length === 0) return <p className={styles.note}>{t('tokens.empty')}</p>
  const left = balances.length - shownTokens
  return (
    <>
      <ul className={styles.rows}>
        {balances.slice(0, shownTokens).map((balance) => (
          <li key={balance.address ?? 'native'}>
            <TokenRow balance={balance} />
          </li>
        ))}
        {left > 0 && (
          <li>
            <Row
              icon={
                <RowGlyph>
                  <CoinsIcon />
                </RowGlyph>
              }
              title={t('tokens.all')}
              trailing={
                <>
                  <span>{balances.length}</span>
                  <ForwardIcon small />
                </>
              }
              onPress={() => go('Tokens')}
            />
          </li>
        )}
      </ul>
      {partial && <p className={styles.note}>{t('tokens.partial')}</p>}
    </>
  )
}

function Failed({ shown: { retryAt, retry } }: { readonly shown: ShownPortfolio }) {
  const t = useText()
  const seconds = useSecondsLeft(retryAt)
  return (
    <p className={styles.note} role="status">
      {t('tokens.failed')}{' '}
      {seconds > 0 ? (
        <span aria-live="off">{t('tokens.retryIn', { seconds })}</span>
      ) : (
        <TextButton onPress={retry}>{t('tryAgain')}</TextButton>
      )}
    </p>
  )
}
