import type { Network, TokenBalance } from '@postern/protocol'
import { QueryClientProvider } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { useText } from '../../locales/text'
import { currentNetwork, heldOf } from '../../views/held'
import { useHost, useSnapshot } from '../../views/host-context'
import { LoadingView } from '../../views/LoadingView'
import { queryClientOf } from '../query-client'
import { TokenRow } from './TokenRow'
import styles from './tokens.module.css'
import { usePortfolio } from './use-portfolio'

/** Height of a row and of the gap under it, in px: `--row-height` and `--space-2` of the theme. */
const rowHeight = 56
const rowGap = 8
/** Rows kept ready above and below those that are seen. */
const overscan = 6

/** All tokens of the account that is shown, of any number. */
export default function Tokens() {
  const connections = useSnapshot((snapshot) => snapshot.connections)
  const activeNetworkId = useSnapshot((snapshot) => snapshot.activeNetworkId)
  const network = useSnapshot(currentNetwork)
  const held = heldOf({ connections, activeNetworkId })
  const host = useHost()
  if (held === null || network === null) return null
  return (
    <QueryClientProvider client={queryClientOf(host)}>
      <Loaded network={network} address={held.account.address} />
    </QueryClientProvider>
  )
}

function Loaded({ network, address }: { readonly network: Network; readonly address: string }) {
  const { portfolio } = usePortfolio(network, address)
  return portfolio === null ? <LoadingView /> : <List balances={portfolio.balances} />
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
  return (
    <div ref={scroller} className={styles.scroller}>
      <ul className={styles.list} style={{ blockSize: virtualizer.getTotalSize() }} aria-label={t('tokens.title')}>
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
    </div>
  )
}
