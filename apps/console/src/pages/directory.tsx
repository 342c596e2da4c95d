import { Button } from '@postern/ui/button'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { Field, Result, Table, Title } from '../components'
import { Wallets } from '../schemas'
import { useSession } from '../session'

const chains: Readonly<Record<string, string>> = { eip155: 'EVM', solana: 'Solana', bip122: 'Bitcoin' }

export function DirectoryPage() {
  const { api } = useSession()
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const list = useInfiniteQuery({
    queryKey: ['directory', search],
    queryFn: ({ pageParam }) => api.get(`/directory?page=${pageParam}&search=${encodeURIComponent(search)}`, Wallets),
    initialPageParam: 1,
    getNextPageParam: (page, pages) =>
      pages.reduce((sum, { wallets }) => sum + wallets.length, 0) < page.count ? pages.length + 1 : undefined,
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <Title>Directory</Title>
      <Field
        label="Name of a wallet"
        value={typed}
        onChange={setTyped}
        hint="The wallets that the modal lists under All wallets. Options name a wallet by its id, reverse domain name or explorer id."
      />
      <Result query={list}>
        {({ pages }) => (
          <>
            <p role="status">{countText(pages.at(-1)?.count ?? 0)}</p>
            <Table label="Wallets" columns={['Wallet', 'Id', 'Reverse domain name', 'Chains', 'Explorer ids']}>
              {pages
                .flatMap(({ wallets }) => wallets)
                .map(({ id, name, rdns, namespaces, explorerIds, homepage, certified }) => (
                  <tr key={id}>
                    <td>
                      {homepage === null ? (
                        name
                      ) : (
                        <a href={homepage} target="_blank" rel="noreferrer">
                          {name}
                        </a>
                      )}
                      {certified && ' (certified)'}
                    </td>
                    <td>
                      <code>{id}</code>
                    </td>
                    <td>{rdns === null ? '–' : <code>{rdns}</code>}</td>
                    <td>{namespaces.map((namespace) => chains[namespace] ?? namespace).join(', ') || '–'}</td>
                    <td>
                      {explorerIds.length === 0 ? '–' : explorerIds.map((each) => <code key={each}>{each}</code>)}
                    </td>
                  </tr>
                ))}
            </Table>
          </>
        )}
      </Result>
      {list.hasNextPage && (
        <div className="actions">
          <Button tone="secondary" busy={list.isFetchingNextPage} onPress={() => void list.fetchNextPage()}>
            Show more wallets
          </Button>
        </div>
      )}
    </>
  )
}

const countText = (count: number) => (count === 1 ? '1 wallet' : `${count} wallets`)
