import { ActivityList } from './ActivityList'

export default function FirstActivity() {
  return <ActivityList first />
}
