/**
 * What each metric of a program is called, and what it says. The names are a promise to whoever watches: dashboards and
 * alerts ask for them. `docs/how-to/watch.md` says of each when to look.
 */
const helps = {
  lode_access_not_recorded:
    'Sign-ins, ends of sessions and refusals that were not written because of the clock',
  lode_append_duration_seconds:
    'Time that the log takes to make events durable, by what became of the append',
  lode_build_info: 'Always 1: the version of Lode, and of the Node that it runs on',
  lode_clock_not_accepted: '1 while the clock is not accepted: nothing is written',
  lode_commands_total: 'Commands that were answered, whatever came of them, from every way in',
  lode_connections_refused_total: 'Connections that were refused, by whose were too many',
  lode_disk_bytes: 'Room on the disk of the data folder in all',
  lode_disk_free_bytes: 'Room that is left on the disk of the data folder',
  lode_head_age_seconds: 'Time since it was known to be kept how far log and identities have come',
  lode_http_answers_total: 'Answers by method, route and status',
  lode_http_duration_seconds: 'Time from request to answer, by method and route',
  lode_identity_damaged_rows: 'Damaged rows of the identity store that this program has met since its start',
  lode_identity_takes_no_changes: '1 while the identity store refuses what is to be written',
  lode_jobs_worker_last_seen_seconds:
    'Time since a program was last seen that could run jobs; 0 while one is there',
  lode_jobs_unreachable: '1 while this program runs jobs and can not reach where their runs are kept',
  lode_live_connections: 'Live streams that are open',
  lode_log_damaged_events: 'Damaged events of the log that this program has met since its start',
  lode_log_head_seconds_behind: 'How long the log has not had an event that it acknowledged',
  lode_log_position: 'Where the log ends; of an event store on a server, in the terms of that',
  lode_message_duration_seconds:
    'Time that commands and queries take, without what HTTP adds, by what became of them',
  lode_programs:
    'Programs that share the log and say that they are there, by their version; none where one has it to itself',
  lode_projection_discarded_events: 'Events left out after their handler failed',
  lode_projection_events_behind: 'Events a read model has not seen, at least',
  lode_projection_lanes: 'Lanes of the read models that this program folds',
  lode_projection_parked_events: 'Events set aside after their handler failed',
  lode_projection_rebuild_events_left:
    'Events that the build beside a read model has to take, at least; 0 when there is none',
  lode_projection_seconds_behind: 'Age of the oldest event a read model has not seen',
  lode_projection_stalled: '1 while events wait for a read model and it stands still',
  lode_projector_restarts_total: 'Threads of the projector that were begun in the place of one that died',
  lode_reactor_parked_events: 'Events whose command fails again and again',
  lode_read_models_damaged_total:
    'Times that documents or indexes of read models were found damaged; they are made again from the log',
  lode_scrub_checked_timestamp_seconds: 'When a part of what is kept was last looked at wholly',
  lode_scrub_damaged: 'Damage that the last whole look has found, or the one under way',
  lode_scrub_damaged_total: 'Damage that the look at everything has found, by the part that it was in',
  lode_scrub_looked_at: 'Rows, documents, tables and files that the look under way has seen; 0 between two',
  lode_security_total: 'What the security log is of, by the type of its events',
  lode_security_unwritten_total: 'The same, where no event of the log tells of it',
  lode_sign_ins_refused_total: 'Sign-ins that were refused, by the code that they were refused with',
  lode_transfers_stalled: 'Transfers under way for longer than they should be, 100 at most',
} as const;

export type MetricName = keyof typeof helps;

export const metricNames = Object.keys(helps) as readonly MetricName[];

/** A metric's name with its help, as a registry takes them. */
export function metric<Name extends MetricName>(name: Name): { readonly name: Name; readonly help: string } {
  return { name, help: helps[name] };
}
