import { shownTokens, type TokenBalance } from '@postern/protocol'
import { GroupHeading, groupHeadingPx } from '@postern/ui/group-heading'
import { useText } from '@postern/ui/locales/text'
import { CoinsIcon } from '@postern/ui/view-icons'
import { useNavigation } from '../../view-kit/navigation'
import { EmptyList, ListError, ListSkeleton, rowHeightPx, VirtualList } from '../account/AccountList'
import styles from '../account/account-list.module.css'
import { useScopes, useSpam } from '../account/account-state'
import { ShowAll } from '../account/ShowAll'
import { SpamNotice } from '../account/SpamNotice'
import { TokenRow } from './TokenRow'
import { useHoldings } from './use-portfolio'

const shownFirst = 5

export function TokenList({ first = false }: { readonly first?: boolean }) {
  const t = useText()
  const { push } = useNavigation()
  const { scopes, allNetworks } = useScopes()
  const holdings = useHoldings(scopes)
  const spam = useSpam('tokens')
  const { status, portfolio } = holdings
  if (status === 'failed')
    return <ListError title={t('tokens.notLoaded')} text={t('tokens.failedHint')} {...holdings} />
  if (portfolio === null) return <ListSkeleton />
  const { balances, partial } = portfolio
  // A failed lookup does not mean an empty account.
  if (balances.length === 0 && partial)
    return <EmptyList icon={CoinsIcon} title={t('tokens.unlisted')} text={t('tokens.unlistedHint')} />
  const networks = new Map(scopes.flatMap((scope) => scope.networks.map((one) => [one.caipNetworkId, one])))
  const { tokens, unlistedAt, hidden } = shownTokens(balances, spam.isShown)
  const rowOf = (balance: TokenBalance, index: number) => (
    <>
      {index === unlistedAt && <GroupHeading>{t('tokens.unlistedTitle')}</GroupHeading>}
      <TokenRow balance={balance} network={networks.get(balance.chainId)} allNetworks={allNetworks} />
    </>
  )
  const isCut = first && tokens.length > shownFirst
  return (
    <div className={styles.notes}>
      {tokens.length === 0 ? (
        <EmptyList icon={CoinsIcon} title={t('tokens.empty')} text={t('tokens.emptyHint')} />
      ) : first ? (
        <ul className={styles.stack} aria-label={t('tokens.title')}>
          {tokens.slice(0, isCut ? shownFirst - 1 : shownFirst).map((balance, index) => (
            <li key={keyOf(balance, index)}>{rowOf(balance, index)}</li>
          ))}
        </ul>
      ) : (
        <VirtualList
          label={t('tokens.title')}
          count={tokens.length}
          heightOf={(index) => rowHeightPx + (index === unlistedAt ? groupHeadingPx : 0)}
          keyOf={(index) => keyOf(tokens[index], index)}
          render={(index) => {
            const balance = tokens[index]
            return balance !== undefined && rowOf(balance, index)
          }}
        />
      )}
      {isCut && <ShowAll title={t('tokens.all')} count={tokens.length} onPress={() => push('Tokens')} />}
      <SpamNotice hidden={hidden} {...spam} />
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
