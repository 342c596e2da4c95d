import { SubmitButton } from '@postern/ui/button'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import * as z from 'zod/mini'
import { Failure, Field, Table, Time, Title } from '../components'
import { UserSummary } from '../schemas'
import { useSession } from '../session'

export function UsersPage() {
  const { api } = useSession()
  const [who, setWho] = useState('')
  const lookUp = useMutation({
    mutationFn: () => api.send('POST', '/users/look-up', z.array(UserSummary), { who }),
  })
  return (
    <>
      <Title>Users</Title>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          if (who.trim() !== '') lookUp.mutate()
        }}
      >
        <Field
          label="Email address, wallet address or user id"
          value={who}
          onChange={setWho}
          hint="Each look-up is written to the audit log."
        />
        <Failure error={lookUp.error} />
        <SubmitButton busy={lookUp.isPending}>Look up</SubmitButton>
      </form>
      <p role="status">{lookUp.data?.length === 0 && 'No user found.'}</p>
      {lookUp.data !== undefined && lookUp.data.length > 0 && (
        <Table label="Found users" columns={['User', 'Signs in with', 'Since', 'State']}>
          {lookUp.data.map((user) => (
            <tr key={user.id}>
              <td>
                <Link to={`/users/${user.id}`}>{user.email ?? user.id}</Link>
              </td>
              <td>{user.provider}</td>
              <td>
                <Time at={user.createdAt} />
              </td>
              <td>{user.blockedAt === null ? 'Active' : 'Blocked'}</td>
            </tr>
          ))}
        </Table>
      )}
    </>
  )
}
