import { limits, type Nft } from '@postern/protocol'
import { useText } from '@postern/ui/locales/text'
import listStyles from '@postern/ui/long-list.module.css'
import { plainText } from '@postern/ui/plain-text'
import { PictureIcon } from '@postern/ui/view-icons'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { useNavigation } from '../../view-kit/navigation'
import { EmptyList, IncompleteNotice, ListError } from '../account/AccountList'
import accountStyles from '../account/account-list.module.css'
import { useScopes, useSetAccountState } from '../account/account-state'
import { Empty } from '../account/Empty'
import { ShowAll } from '../account/ShowAll'
import { SpamNotice } from '../account/SpamNotice'
import { NftPicture } from './NftPicture'
import { nameOfNft } from './nft-text'
import styles from './nfts.module.css'
import { TilesSkeleton } from './TilesSkeleton'
import { type ShownNfts, useNfts } from './use-nfts'

const shownFirst = 4
const columns = 2
/** Row height until measured (px). */
const rowHeight = 220

export function NftGrid({ first = false }: { readonly first?: boolean }) {
  const t = useText()
  const { push } = useNavigation()
  const shown = useNfts()
  const { status, nfts, hidden, spam, hasMore, failedAt, retry } = shown
  if (status === 'failed')
    return (
      <ListError
        title={t('nfts.notLoaded')}
        text={t('nfts.failedHint')}
        retryAt={failedAt + limits.connectRetryDelay}
        retry={retry}
      />
    )
  if (status === 'loading') return <TilesSkeleton />
  if (nfts.length === 0 && hidden === 0 && !hasMore)
    return (
      <Empty
        icon={PictureIcon}
        empty={{ title: t('nfts.empty'), text: t('nfts.emptyHint') }}
        unlisted={{ title: t('nfts.unlisted'), text: t('tokens.unlistedHint') }}
      />
    )
  if (!first) return <AllTiles {...shown} />
  const isCut = nfts.length > shownFirst || hasMore
  return (
    <div className={accountStyles.notes}>
      {nfts.length === 0 && !hasMore ? (
        <EmptyList icon={PictureIcon} title={t('nfts.empty')} text={t('nfts.emptyHint')} />
      ) : (
        <ul className={styles.grid} aria-label={t('nfts.title')}>
          {nfts.slice(0, shownFirst).map((nft) => (
            <li key={keyOf(nft)}>
              <Tile nft={nft} />
            </li>
          ))}
        </ul>
      )}
      {isCut && (
        <ShowAll title={t('nfts.all')} count={hasMore ? undefined : nfts.length} onPress={() => push('Nfts')} />
      )}
      <SpamNotice hidden={hidden} {...spam} />
    </div>
  )
}

function AllTiles({ nfts, hidden, spam, hasMore, isCut, more }: ShownNfts) {
  const t = useText()
  const scroller = useRef<HTMLElement>(null)
  const count = Math.ceil(nfts.length / columns)
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 3,
  })
  const rows = virtualizer.getVirtualItems()
  const last = rows.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && !isCut && last >= count - 3) more()
  }, [hasMore, isCut, last, count, more])
  return (
    <div className={accountStyles.notes}>
      <section ref={scroller} className={listStyles.scroller} aria-label={t('nfts.title')}>
        <ul className={listStyles.list} style={{ blockSize: virtualizer.getTotalSize() }}>
          {rows.map(({ index, start }) => (
            <li
              key={index}
              ref={virtualizer.measureElement}
              data-index={index}
              className={listStyles.item}
              style={{ transform: `translateY(${start}px)` }}
            >
              <div className={styles.rowOfTiles}>
                {nfts.slice(index * columns, (index + 1) * columns).map((nft) => (
                  <Tile key={keyOf(nft)} nft={nft} />
                ))}
              </div>
            </li>
          ))}
        </ul>
      </section>
      <SpamNotice hidden={hidden} {...spam} />
      {isCut && <IncompleteNotice title={t('nfts.notLoaded')} retry={more} />}
    </div>
  )
}

function Tile({ nft }: { readonly nft: Nft }) {
  const { push } = useNavigation()
  const set = useSetAccountState()
  const { scopes, allNetworks } = useScopes()
  const name = nameOfNft(nft)
  const network = scopes.flatMap(({ networks }) => networks).find((one) => one.caipNetworkId === nft.chainId)
  const detail = allNetworks ? network?.name : plainText(nft.collection ?? '', 48)
  return (
    <button
      type="button"
      className={styles.tile}
      data-line
      onClick={() => {
        set({ nft })
        push('NftDetails')
      }}
    >
      <NftPicture url={nft.imageUrl} />
      <span className={styles.words}>
        <span className={styles.name} title={name}>
          {name}
        </span>
        <span className={styles.collection} title={detail}>
          {detail}
        </span>
      </span>
    </button>
  )
}

function keyOf({ contract, tokenId }: Nft): string {
  return `${contract} ${tokenId}`
}
