import { Metadata, status, type ServiceError } from '@grpc/grpc-js';
import serverFeatures from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import rpcStatus from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type {
  BatchAppendReq,
  BatchAppendResp,
  ReadResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import type { LogEvent, NewEvent } from './event.js';
import { APPEND_BYTES_MAX } from './log.js';

/**
 * The releases that the double can be: one that is too old, which tells nothing of its features; the first that takes
 * batches of appends; and one of those whose reads of a stream tell positions.
 */
export type Release = '20.10' | '21.10' | '22.6';

/** What release 21.10 says for the position of an event that was read from its stream. */
const POSITION_UNKNOWN = (2n ** 64n - 1n).toString();
/** .NET ticks of 1970-01-01T00:00:00Z: the double has no clock. */
const CREATED = '0';

/** An answer to an append that is not a success, as the server puts it. */
export type AppendRefusal =
  | { readonly kind: 'wrong-version'; readonly current: bigint; readonly expected: bigint }
  | { readonly kind: 'deleted' | 'too-large' | 'timeout' | 'busy' | 'denied' };

export function supportedMethods(release: Release): SupportedMethods {
  const batchAppend = new serverFeatures.SupportedMethod();
  batchAppend.setServiceName('event_store.client.streams.streams');
  batchAppend.setMethodName('batchappend');
  return new serverFeatures.SupportedMethods()
    .setEventStoreServerVersion(`${release}.0`)
    .setMethodsList([batchAppend]);
}

export function appendSuccess(request: BatchAppendReq, revision: bigint, position: bigint): BatchAppendResp {
  const at = new shared.AllStreamPosition();
  at.setCommitPosition(position.toString()).setPreparePosition(position.toString());
  const success = new streams.BatchAppendResp.Success();
  success.setCurrentRevision(revision.toString()).setPosition(at);
  return answerTo(request).setSuccess(success);
}

export function appendRefusal(request: BatchAppendReq, refusal: AppendRefusal): BatchAppendResp {
  const [typeName, details] = detailsOf(refusal);
  const packed = new any.Any();
  packed.pack(details.serializeBinary(), typeName);
  const error = new rpcStatus.Status();
  error.setMessage(refusal.kind === 'busy' ? 'Server Is Busy' : '').setDetails(packed);
  return answerTo(request).setError(error);
}

function detailsOf(refusal: AppendRefusal): [typeName: string, details: { serializeBinary(): Uint8Array }] {
  switch (refusal.kind) {
    case 'wrong-version': {
      const details = new shared.WrongExpectedVersion();
      if (refusal.current < 0n) details.setCurrentNoStream(new empty.Empty());
      else details.setCurrentStreamRevision(refusal.current.toString());
      if (refusal.expected < 0n) details.setExpectedNoStream(new empty.Empty());
      else details.setExpectedStreamPosition(refusal.expected.toString());
      return ['event_store.client.WrongExpectedVersion', details];
    }
    case 'deleted':
      return ['event_store.client.StreamDeleted', new shared.StreamDeleted()];
    case 'denied':
      return ['event_store.client.AccessDenied', new shared.AccessDenied()];
    case 'timeout':
      return ['event_store.client.Timeout', new shared.Timeout()];
    case 'too-large':
      return [
        'event_store.client.MaximumAppendSizeExceeded',
        new shared.MaximumAppendSizeExceeded().setMaxappendsize(APPEND_BYTES_MAX),
      ];
    case 'busy':
      return ['google.protobuf.Empty', new empty.Empty()];
  }
}

function answerTo(request: BatchAppendReq): BatchAppendResp {
  return new streams.BatchAppendResp()
    .setCorrelationId(request.getCorrelationId())
    .setStreamIdentifier(request.getOptions()?.getStreamIdentifier());
}

/** The events that a client proposes in one message. */
export function proposedEvents(request: BatchAppendReq): readonly NewEvent[] {
  return request.getProposedMessagesList().map((message) => ({
    id: message.getId()?.getString() ?? '',
    type: message.getMetadataMap().get('type') ?? '',
    contentType: message.getMetadataMap().get('content-type') ?? '',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  }));
}

/** An event as a read gives it, which tells its position or does not. */
export function readEvent(event: LogEvent, tellsPosition: boolean): ReadResp {
  const position = tellsPosition ? event.position.toString() : POSITION_UNKNOWN;
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(event.id))
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(event.stream)))
    .setStreamRevision(event.revision.toString())
    .setCommitPosition(position)
    .setPreparePosition(position)
    .setData(event.data)
    .setCustomMetadata(event.metadata);
  recorded
    .getMetadataMap()
    .set('type', event.type)
    .set('content-type', event.contentType)
    .set('created', CREATED);
  const read = new streams.ReadResp.ReadEvent().setEvent(recorded);
  if (tellsPosition) read.setCommitPosition(position);
  else read.setNoPosition(new shared.Empty());
  return new streams.ReadResp().setEvent(read);
}

export function streamNotFound(stream: string): ReadResp {
  const missing = new streams.ReadResp.StreamNotFound();
  missing.setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)));
  return new streams.ReadResp().setStreamNotFound(missing);
}

export function subscriptionConfirmed(id: string): ReadResp {
  return new streams.ReadResp().setConfirmation(
    new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(id),
  );
}

/** How far a subscription with a filter has got, which may be past the last event. */
export function checkpointAt(position: bigint): ReadResp {
  const checkpoint = new streams.ReadResp.Checkpoint()
    .setCommitPosition(position.toString())
    .setPreparePosition(position.toString());
  return new streams.ReadResp().setCheckpoint(checkpoint);
}

/** Errors that end a whole call. */
export const failures = {
  unavailable: () => failure(status.UNAVAILABLE, 'Server Is Not Ready'),
  streamDeleted: (stream: string) =>
    failure(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
      exception: 'stream-deleted',
      'stream-name': stream,
    }),
  notLeader: (port: number) =>
    failure(status.NOT_FOUND, 'Leader info available', {
      exception: 'not-leader',
      'leader-endpoint-host': '127.0.0.1',
      'leader-endpoint-port': String(port),
    }),
  accessDenied: () => failure(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' }),
  unauthenticated: () => failure(status.UNAUTHENTICATED, 'UnAuthenticated'),
  tooSlow: () =>
    failure(
      status.ABORTED,
      'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.',
    ),
  unsupported: (what: string) =>
    failure(status.UNIMPLEMENTED, `the double of EventStoreDB does not support ${what}`),
};

function failure(code: status, details: string, trailers: Record<string, string> = {}): ServiceError {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(trailers)) metadata.set(key, value);
  return Object.assign(new Error(details), { code, details, metadata });
}
