export type {
  ConnectRequest,
  ConnectScript,
  ModalScript,
  ScriptedAccount,
  ScriptedModal,
  ScriptedRequest,
} from './script'
export { scriptModal } from './script-modal'
