import type { Network, TokenBalance } from '@postern/protocol'
import { QueryClientProvider } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { useText } from '../../locales/text'
import { Button } from '../../ui/button'
import { CautionIcon } from '../../ui/icons'
import { CoinsIcon } from '../../ui/icons-later'
import { Message, MessageGlyph } from '../../ui/message'
import { currentNetwork, heldOf } from '../../views/held'
import { useHost, useSnapshot } from '../../views/host-context'
import { LoadingView } from '../../views/LoadingView'
import { useSecondsLeft } from '../../views/use-seconds-left'
import { queryClientOf } from '../query-client'
import { TokenRow } from './TokenRow'
import styles from './tokens.module.css'
import { type ShownPortfolio, usePortfolio } from './use-portfolio'

/** Height of a row and of the gap under it, in px: `--row-height` and `--space-2` of the theme. */
const rowHeight = 56
const rowGap = 8
/** Rows kept ready above and below those that are seen. */
const overscan = 6

/** The tokens of the account that is shown, on its network, of any number. */
export default function Tokens() {
  const connections = useSnapshot((snapshot) => snapshot.connections)
  const activeNetworkId = useSnapshot((snapshot) => snapshot.activeNetworkId)
  const network = useSnapshot(currentNetwork)
  const host = useHost()
  const held = heldOf({ connections, activeNetworkId })
  // The view outlives its connection by the blink that it takes to leave it.
  if (held === null || network === null) return null
  return (
    <QueryClientProvider client={queryClientOf(host)}>
      <Portfolio network={network} address={held.account.address} />
    </QueryClientProvider>
  )
}

function Portfolio({ network, address }: { readonly network: Network; readonly address: string }) {
  const t = useText()
  const shown = usePortfolio(network, address)
  const { status, portfolio } = shown
  if (status === 'failed') return <Failed shown={shown} />
  if (portfolio === null) return <LoadingView />
  const { balances, partial } = portfolio
  if (balances.length === 0) return <Empty />
  return (
    <div className={styles.tokens}>
      <List balances={balances} />
      {partial && (
        <p className={styles.note} role="status">
          {t('tokens.partial')}
        </p>
      )}
    </div>
  )
}

function List({ balances }: { readonly balances: readonly TokenBalance[] }) {
  const t = useText()
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: balances.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    gap: rowGap,
    overscan,
    getItemKey: (index) => balances[index]?.address ?? 'native',
  })
  useEffect(() => {
    // Plain rows have nothing to tab to, and have to be scrolled by keys all the same.
    if (scroller.current !== null) scroller.current.tabIndex = 0
  }, [])
  return (
    <section ref={scroller} className={styles.scroller} aria-label={t('tokens.title')}>
      <ul className={styles.list} style={{ blockSize: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, key, start }) => {
          const balance = balances[index]
          return (
            balance !== undefined && (
              <li
                key={key}
                className={styles.item}
                style={{ transform: `translateY(${start}px)` }}
                aria-posinset={index + 1}
                aria-setsize={balances.length}
              >
                <TokenRow balance={balance} />
              </li>
            )
          )
        })}
      </ul>
    </section>
  )
}

function Empty() {
  const t = useText()
  return (
    <Message
      picture={
        <MessageGlyph>
          <CoinsIcon />
        </MessageGlyph>
      }
      title={t('tokens.empty')}
      text={t('tokens.emptyHint')}
    />
  )
}

function Failed({ shown: { retryAt, retry } }: { readonly shown: ShownPortfolio }) {
  const t = useText()
  const seconds = useSecondsLeft(retryAt)
  return (
    <div className={styles.failed}>
      <Message
        picture={
          <MessageGlyph tone="bad">
            <CautionIcon />
          </MessageGlyph>
        }
        title={t('tokens.failed')}
        text={seconds > 0 ? t('tokens.retryIn', { seconds }) : t('tokens.failedHint')}
        live
      />
      {seconds === 0 && (
        <Button tone="primary" onPress={retry}>
          {t('tryAgain')}
        </Button>
      )}
    </div>
  )
}
