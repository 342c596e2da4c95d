import { Button } from '@postern/ui/button'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import * as z from 'zod/mini'
import { Confirmed, Failure, Result, Section, Table, Time, Title } from '../components'
import { User } from '../schemas'
import { useSession } from '../session'

export function UserPage() {
  const { id = '' } = useParams()
  const { api, me } = useSession()
  const user = useQuery({
    queryKey: ['users', id],
    queryFn: () => api.get(`/users/${encodeURIComponent(id)}`, User),
    // Each load is a record in the audit log.
    refetchOnWindowFocus: false,
  })
  return (
    <Result query={user} title="User">
      {(found) => (
        <>
          <Title>{found.email ?? `User ${found.id}`}</Title>
          <p className="hint">
            {found.provider}, id <code>{found.id}</code>, since <Time at={found.createdAt} />
          </p>
          <p>{found.blockedAt === null ? 'Active' : 'Blocked: the user cannot sign in.'}</p>
          <Section title="Wallets">
            {found.wallets.length === 0 && <p>No wallet.</p>}
            {found.wallets.map((wallet) => (
              <p key={wallet.eip155} className="addresses">
                <code>{wallet.eip155}</code> <code>{wallet.solana}</code> {wallet.isPrevious && '(previous)'}
              </p>
            ))}
          </Section>
          <Section title="Devices">
            <Table label="Devices and their sessions" columns={['Device', 'Project', 'Last used', 'Sessions']}>
              {found.devices.map((device) => (
                <tr key={device.id}>
                  <td>{device.name ?? 'No name'}</td>
                  <td>{device.projectId ?? '–'}</td>
                  <td>
                    <Time at={device.usedAt} />
                  </td>
                  <td>{device.revokedAt === null ? device.sessions : 'Removed'}</td>
                </tr>
              ))}
            </Table>
          </Section>
          {me.role === 'admin' && <Actions user={found} />}
        </>
      )}
    </Result>
  )
}

function Actions({ user }: { readonly user: User }) {
  const { api } = useSession()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const path = `/users/${encodeURIComponent(user.id)}`
  const [announcement, setAnnouncement] = useState('')
  const act = useMutation({
    mutationFn: ({ action }: { readonly action: string; readonly done: string }) =>
      api.send('POST', `${path}/${action}`, z.unknown()),
    onSuccess: async (_, { done }) => {
      await queries.invalidateQueries({ queryKey: ['users', user.id] })
      setAnnouncement(done)
    },
  })
  const remove = useMutation({
    mutationFn: () => api.send('DELETE', path, z.unknown()),
    onSuccess: async () => {
      await navigate('/users')
      queries.removeQueries({ queryKey: ['users', user.id] })
    },
  })
  const download = useMutation({
    mutationFn: () => api.get(`${path}/export`, z.unknown()),
    onSuccess: (data) => save(`user-${user.id}.json`, JSON.stringify(data, null, 2)),
  })
  const busy = act.isPending || remove.isPending
  return (
    <Section title="Actions">
      <p role="status">{announcement}</p>
      <Failure error={act.error ?? remove.error ?? download.error} />
      <div className="actions">
        <Button
          tone="secondary"
          busy={busy}
          onPress={() => act.mutate({ action: 'sign-out', done: 'Signed out everywhere.' })}
        >
          Sign out everywhere
        </Button>
        <Button tone="secondary" busy={download.isPending} onPress={() => download.mutate()}>
          Export data
        </Button>
        {user.blockedAt === null ? (
          <Confirmed
            name="Block"
            question="Ends all sessions. The user cannot sign in until you unblock the account. The wallet stays."
            busy={busy}
            onConfirm={() => act.mutate({ action: 'block', done: 'Blocked.' })}
          />
        ) : (
          <Button tone="secondary" busy={busy} onPress={() => act.mutate({ action: 'unblock', done: 'Unblocked.' })}>
            Unblock
          </Button>
        )}
        <Confirmed
          name="Delete user"
          question="Deletes the account and the gateway's shares. If the user has not exported the seed, the wallet and its money are lost for good."
          busy={busy}
          onConfirm={() => remove.mutate()}
        />
      </div>
    </Section>
  )
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
