import { Button } from '@postern/ui/button'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Result, Table, Time, Title } from '../components'
import { Entries } from '../schemas'
import { useSession } from '../session'

const pageSize = 100

export function AuditPage() {
  const { api } = useSession()
  const log = useInfiniteQuery({
    queryKey: ['audit'],
    queryFn: ({ pageParam }) => api.get(pageParam === null ? '/audit' : `/audit?before=${pageParam}`, Entries),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < pageSize ? undefined : page.at(-1)?.id),
    staleTime: 0,
  })
  return (
    <>
      <Title>Audit log</Title>
      <Result query={log}>
        {({ pages }) => (
          <Table label="Audit log" columns={['Time', 'Operator', 'Action', 'Target', 'Changed']}>
            {pages.flat().map((entry) => (
              <tr key={entry.id}>
                <td>
                  <Time at={entry.at} />
                </td>
                <td>{entry.actor}</td>
                <td>{entry.action}</td>
                <td>
                  <code>{entry.target ?? '–'}</code>
                </td>
                <td>{entry.detail ?? '–'}</td>
              </tr>
            ))}
          </Table>
        )}
      </Result>
      {log.hasNextPage && (
        <div className="actions">
          <Button tone="secondary" busy={log.isFetchingNextPage} onPress={() => void log.fetchNextPage()}>
            Show older entries
          </Button>
        </div>
      )}
    </>
  )
}
