import { ActivityList } from './ActivityList'

/** The newest of what the accounts on show did. */
export default function FirstActivity() {
  return <ActivityList first />
}
