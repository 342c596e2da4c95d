import { SubmitButton } from '@postern/ui/button'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { Failure, Field, Result, Section, Table, Time, Title } from '../components'
import { Project } from '../schemas'
import { useSession } from '../session'

export function ProjectsPage() {
  const { api, me } = useSession()
  const projects = useQuery({ queryKey: ['projects'], queryFn: () => api.get('/projects', z.array(Project)) })
  return (
    <>
      <Title>Projects</Title>
      <Result query={projects}>
        {(list) =>
          list.length === 0 ? (
            <p>No projects yet.</p>
          ) : (
            <Table label="Projects" columns={['Name', 'Id', 'Origins', 'Changed']}>
              {list.map((project) => (
                <tr key={project.id}>
                  <td>
                    <Link to={`/projects/${project.id}`}>{project.name}</Link>
                  </td>
                  <td>
                    <code>{project.id}</code>
                  </td>
                  <td>{project.allowedOrigins.length}</td>
                  <td>
                    <Time at={project.updatedAt} />
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Result>
      {me.role === 'admin' && <NewProject />}
    </>
  )
}

function NewProject() {
  const { api } = useSession()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [origin, setOrigin] = useState('')
  const create = useMutation({
    mutationFn: () =>
      api.send('POST', '/projects', Project, {
        name,
        allowedOrigins: origin.trim() === '' ? [] : [origin.trim()],
        defaultAncestors: false,
      }),
    onSuccess: async (project) => {
      await queries.invalidateQueries({ queryKey: ['projects'] })
      await navigate(`/projects/${project.id}`)
    },
  })
  return (
    <Section title="New project">
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <Field label="Name" value={name} onChange={setName} placeholder="My dapp" />
        <Field label="Origin" value={origin} onChange={setOrigin} placeholder="https://app.example.com" />
        <Failure error={create.error} />
        <SubmitButton busy={create.isPending}>Create project</SubmitButton>
      </form>
    </Section>
  )
}
