import { ContentEditor, ContentVersions } from '../../features/site-content';
import { Part, Parts } from '../part';
import { useScreen } from '../shell';

/** `/auth/site-content/dashboard`. */
export default function SiteContent() {
  useScreen('Site Content');
  return (
    <Parts>
      <Part
        title="Texts"
        what="What visitors read, a section at a time. What is saved is on the site at once."
        isWide
      >
        <ContentEditor />
      </Part>
      <Part
        title="Versions"
        what="Each change is a version: what it changed, how it differs from now, and the way back."
      >
        <ContentVersions />
      </Part>
    </Parts>
  );
}
