import { Button } from '@postern/ui/button'
import { Checkbox } from '@postern/ui/checkbox'
import { useText } from '@postern/ui/locales/text'
import { Message, MessageGlyph } from '@postern/ui/message'
import { Row, RowGlyph } from '@postern/ui/row'
import { SearchField } from '@postern/ui/search-field'
import { Status } from '@postern/ui/unseen'
import { ForwardIcon, MailIcon, SearchIcon } from '@postern/ui/view-icons'
import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { isInstalled } from '../../snapshot/wallet-row'
import { useHost, useSnapshot } from '../../view-kit/host-context'
import { LoadingView } from '../../view-kit/loading/LoadingView'
import { queryClientOf } from '../../view-kit/loading/query-client'
import { ErrorWithRetry } from '../../view-kit/messages/ErrorWithRetry'
import { useNavigation } from '../../view-kit/navigation'
import { knownRow, rowOfEntry, searchFor } from '../../view-kit/wallets/wallet-rows'
import styles from './AllWallets.module.css'
import { type DirectoryList, isCertified, useDirectory } from './use-directory'
import { type ListedWallet, VirtualWallets } from './VirtualWallets'

export default function AllWallets() {
  return (
    <QueryClientProvider client={queryClientOf(useHost())}>
      <Search />
    </QueryClientProvider>
  )
}

function Search() {
  const t = useText()
  const [typed, setTyped] = useState('')
  const [certifiedOnly, setCertifiedOnly] = useState(false)
  const list = useDirectory(typed, certifiedOnly)
  const showAll = () => {
    setTyped('')
    setCertifiedOnly(false)
  }
  return (
    <div className={styles.all}>
      <SignInRow />
      <SearchField label={t('all.search')} clearLabel={t('all.clear')} value={typed} onChange={setTyped} />
      {(certifiedOnly || list.hasCertified) && (
        <Checkbox checked={certifiedOnly} onChange={setCertifiedOnly}>
          {t('all.certified')}
        </Checkbox>
      )}
      <Results list={list} typed={typed} certifiedOnly={certifiedOnly} onShowAll={showAll} />
    </div>
  )
}

/** Leads to Connect if the modal opened without it (spec §2). */
function SignInRow() {
  const t = useText()
  const { canGoBack, push } = useNavigation()
  const { email, socials, farcaster } = useSnapshot((snapshot) => snapshot.signInMethods)
  const isSignedIn = useSnapshot((snapshot) => snapshot.embedded !== null)
  const hasSocial = socials.length > 0 || farcaster
  if (canGoBack || isSignedIn || !(email || hasSocial)) return null
  return (
    <Row
      icon={
        <RowGlyph>
          <MailIcon />
        </RowGlyph>
      }
      title={t('all.signIn', { ways: email && hasSocial ? 'both' : email ? 'email' : 'social' })}
      trailing={<ForwardIcon small />}
      onPress={() => push('Connect')}
    />
  )
}

type ResultsProps = {
  readonly list: DirectoryList
  readonly typed: string
  readonly certifiedOnly: boolean
  readonly onShowAll: () => void
}

function Results({ list, typed, certifiedOnly, onShowAll }: ResultsProps) {
  const t = useText()
  const all = useWalletRows(list, typed)
  const rows = certifiedOnly ? all.filter(({ certified }) => certified) : all
  const status =
    list.status === 'ready' && !list.isProvisional && typed !== '' ? t('all.results', { count: rows.length }) : ''
  return (
    <>
      <Status>{status}</Status>
      {rows.length > 0 && (
        <VirtualWallets rows={rows} busy={list.isProvisional} hasMore={list.hasMore} onNearEnd={list.loadMore} />
      )}
      {/* Installed wallets are rows even without an answer of the directory. */}
      {(rows.length === 0 || list.status !== 'ready') && (
        <div className={styles.instead}>
          <Instead list={list} onShowAll={onShowAll} />
        </div>
      )}
    </>
  )
}

function Instead({ list, onShowAll }: Pick<ResultsProps, 'list' | 'onShowAll'>) {
  const t = useText()
  if (list.status === 'loading' || list.isProvisional) return <LoadingView />
  if (list.status === 'failed')
    return <ErrorWithRetry title={t('all.failed')} text={t('all.failedHint')} onRetry={list.retry} />
  return (
    <>
      <Message
        picture={
          <MessageGlyph>
            <SearchIcon />
          </MessageGlyph>
        }
        title={t('all.empty')}
        text={t('all.emptyHint')}
      />
      <Button tone="secondary" onPress={onShowAll}>
        {t('all.showAll')}
      </Button>
    </>
  )
}

function useWalletRows({ entries }: DirectoryList, typed: string): readonly ListedWallet[] {
  const { directory } = useHost()
  const wallets = useSnapshot((snapshot) => snapshot.wallets)
  const matches = searchFor(typed)
  const installed = wallets.filter((row) => isInstalled(row) && matches(row.name))
  const listed = entries.map((entry): ListedWallet => {
    const known = knownRow(entry, wallets)
    const certified = isCertified(entry)
    if (known !== undefined) return { row: known, certified }
    return { row: rowOfEntry(entry, directory.imageUrl(entry)), certified, listed: entry }
  })
  const certifiedIds = new Set(listed.filter(({ certified }) => certified).map(({ row }) => row.id))
  const first = installed.map((row) => ({ row, certified: certifiedIds.has(row.id) }))
  return [...new Map([...first, ...listed].map((wallet) => [wallet.row.id, wallet])).values()]
}
