import { Button } from '@postern/ui/button'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Failure, Result, Section, Table, Time, Title } from '../components'
import { Ended, Entries, type OperatorSession, OperatorSessions } from '../schemas'
import { useSession } from '../session'

const pageSize = 100

export function AuditPage() {
  const { api, me } = useSession()
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
      {me.role === 'admin' && me.openId && <OpenSessions />}
    </>
  )
}

/** Sessions of operators who signed in at the provider. */
function OpenSessions() {
  const { api } = useSession()
  const queries = useQueryClient()
  const sessions = useQuery({
    queryKey: ['operator-sessions'],
    queryFn: () => api.get('/operators/sessions', OperatorSessions),
    staleTime: 0,
  })
  const end = useMutation({
    mutationFn: ({ id }: OperatorSession) => api.send('DELETE', `/operators/sessions/${id}`, Ended),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['operator-sessions'] }),
        queries.invalidateQueries({ queryKey: ['audit'] }),
      ]),
  })
  return (
    <Section title="Open sessions of operators">
      <p className="hint">
        To keep an operator out, take the role away at your OpenID provider first: otherwise they can sign in again.
      </p>
      <p role="status">{end.isSuccess && `Ended a session of ${end.variables.operator}.`}</p>
      <Failure error={end.error} />
      <Result query={sessions}>
        {(open) =>
          open.length === 0 ? (
            <p>No session is open.</p>
          ) : (
            <Table label="Open sessions" columns={['Operator', 'Role', 'Signed in', 'Ends', 'Action']}>
              {open.map((session) => (
                <tr key={session.id}>
                  <td>{session.operator}</td>
                  <td>{session.role}</td>
                  <td>
                    <Time at={session.signedInAt} />
                  </td>
                  <td>
                    <Time at={session.expiresAt} />
                  </td>
                  <td>
                    {session.isThis ? (
                      'This session'
                    ) : (
                      <Button tone="bad" busy={end.isPending} onPress={() => end.mutate(session)}>
                        End session
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Result>
    </Section>
  )
}
