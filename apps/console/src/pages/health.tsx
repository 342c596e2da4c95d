import { useQuery } from '@tanstack/react-query'
import { Result, Section, Table, Title } from '../components'
import { Health } from '../schemas'
import { useSession } from '../session'

export function HealthPage() {
  const { api } = useSession()
  const health = useQuery({
    queryKey: ['health'],
    queryFn: () => api.get('/health', Health),
    refetchInterval: 10_000,
  })
  return (
    <>
      <Title>Health</Title>
      <p className="hint">Of this replica, since its start.</p>
      <Result query={health}>
        {({ version, uptimeSeconds, database, email, upstreams, limits }) => (
          <>
            <Table label="Parts" columns={['Part', 'State']}>
              <tr>
                <td>Gateway</td>
                <td>
                  Version {version}, up for {Math.floor(uptimeSeconds / 60)} min
                </td>
              </tr>
              <tr>
                <td>Database</td>
                <td>
                  {database.answers ? `Answers in ${database.ms} ms` : 'Does not answer'} ({database.kind})
                  {database.connections !== null &&
                    `, ${database.connections.total} connections, ${database.connections.waiting} queries waiting`}
                </td>
              </tr>
              <tr>
                <td>Email</td>
                <td>{email.configured ? `${email.sent} sent, ${email.failed} failed` : 'Not configured'}</td>
              </tr>
            </Table>
            <Section title="Upstreams">
              {upstreams.length === 0 ? (
                <p>No calls yet.</p>
              ) : (
                <Table label="Calls by upstream" columns={['Host', 'Answered', 'Failed']}>
                  {upstreams.map(({ host, answered, failed }) => (
                    <tr key={host}>
                      <td>{host}</td>
                      <td>{answered}</td>
                      <td>{failed}</td>
                    </tr>
                  ))}
                </Table>
              )}
            </Section>
            <Section title="Limits hit">
              {limits.length === 0 ? (
                <p>No request was refused.</p>
              ) : (
                <Table label="Refused requests by route" columns={['Route', 'Refused']}>
                  {limits.map(({ route, refused }) => (
                    <tr key={route}>
                      <td>{route}</td>
                      <td>{refused}</td>
                    </tr>
                  ))}
                </Table>
              )}
            </Section>
          </>
        )}
      </Result>
    </>
  )
}
