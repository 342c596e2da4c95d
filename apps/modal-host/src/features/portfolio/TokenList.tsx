import type { TokenBalance } from '@postern/protocol'
import { CoinsIcon } from '@postern/ui/icons-later'
import { useText } from '@postern/ui/locales/text'
import { useNavigation } from '../../view-kit/navigation'
import { EmptyList, ListError, ListSkeleton, rowHeightPx, VirtualList } from '../account/AccountList'
import styles from '../account/account-list.module.css'
import { useScopes } from '../account/account-state'
import { ShowAll } from '../account/ShowAll'
import { TokenRow } from './TokenRow'
import { useHoldings } from './use-portfolio'

/** Tokens shown before the link to the full list. */
const shownFirst = 5

/** All tokens, or the first few with a link. */
export function TokenList({ first = false }: { readonly first?: boolean }) {
  const t = useText()
  const { push } = useNavigation()
  const { scopes, allNetworks } = useScopes()
  const shown = useHoldings(scopes)
  const { status, portfolio } = shown
  if (status === 'failed') return <ListError title={t('tokens.notLoaded')} text={t('tokens.failedHint')} {...shown} />
  if (portfolio === null) return <ListSkeleton />
  const { balances, partial } = portfolio
  // A failed lookup does not mean none.
  if (balances.length === 0 && partial)
    return <EmptyList icon={CoinsIcon} title={t('tokens.unlisted')} text={t('tokens.unlistedHint')} />
  if (balances.length === 0)
    return <EmptyList icon={CoinsIcon} title={t('tokens.empty')} text={t('tokens.emptyHint')} />
  const networks = new Map(scopes.flatMap((scope) => scope.networks.map((one) => [one.caipNetworkId, one])))
  const rowOf = (balance: TokenBalance) => (
    <TokenRow balance={balance} network={networks.get(balance.chainId)} allNetworks={allNetworks} />
  )
  const isCut = first && balances.length > shownFirst
  return (
    <div className={styles.notes}>
      {first ? (
        <ul className={styles.stack} aria-label={t('tokens.title')}>
          {balances.slice(0, isCut ? shownFirst - 1 : shownFirst).map((balance, index) => (
            <li key={keyOf(balance, index)}>{rowOf(balance)}</li>
          ))}
        </ul>
      ) : (
        <VirtualList
          label={t('tokens.title')}
          count={balances.length}
          heightOf={() => rowHeightPx}
          keyOf={(index) => keyOf(balances[index], index)}
          render={(index) => {
            const balance = balances[index]
            return balance !== undefined && rowOf(balance)
          }}
        />
      )}
      {isCut && <ShowAll title={t('tokens.all')} count={balances.length} onPress={() => push('Tokens')} />}
      {partial && (
        <p className={styles.note} role="status">
          {t('tokens.partial')}
        </p>
      )}
    </div>
  )
}

function keyOf(balance: TokenBalance | undefined, index: number): string {
  return balance === undefined ? String(index) : `${balance.chainId} ${balance.address ?? 'native'} ${index}`
}
