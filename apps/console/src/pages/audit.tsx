import { Button, SubmitButton } from '@postern/ui/button'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure, Field, Result, Section, Table, Time, Title } from '../components'
import { Done, Entries } from '../schemas'
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
      {me.role === 'admin' && me.openId && <EndSessions />}
    </>
  )
}

/** Ends the sessions of an operator who signed in at the provider. */
function EndSessions() {
  const { api } = useSession()
  const queries = useQueryClient()
  const [who, setWho] = useState('')
  const end = useMutation({
    mutationFn: (operator: string) => api.send('POST', '/operators/sign-out', Done, { who: operator }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['audit'] }),
  })
  return (
    <Section title="Sign an operator out">
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          end.mutate(who.trim())
        }}
      >
        <Field
          label="Email address or subject"
          value={who}
          onChange={setWho}
          hint="As the log names them. Take the role away at your OpenID provider first: otherwise they can sign in again."
        />
        <p role="status">{end.isSuccess && `No session of ${end.variables} is left.`}</p>
        <Failure error={end.error} />
        <SubmitButton busy={end.isPending}>End all sessions</SubmitButton>
      </form>
    </Section>
  )
}
